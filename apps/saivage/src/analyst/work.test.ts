import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { receiptsOf } from '../testing/receipts.ts';
import { callOf, goodRequest } from '../testing/requests.ts';
import { openTestServer, type TestServer } from '../testing/server.ts';
import { exchange, headBytes, open, readReply } from '../testing/wire.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
});
afterEach(() => server.close());

const bytes = (name: string) => {
  const parts = goodRequest(server, callOf(name));
  return headBytes(parts) + parts.body;
};
const receipts = async () => (await receiptsOf(server)).map(({ tool, outcome }) => [tool, outcome]);

describe('admitted work', () => {
  it('SAI-25.1 runs to its end, once, when its connection is dropped', async () => {
    const begun = server.probes.begun();
    const socket = await open(server.analystPort);
    socket.write(bytes('wait'));
    await begun;
    socket.resetAndDestroy();
    // The server has seen the end of that connection once it answers on another one.
    await exchange(server.analystPort, bytes('count'));
    expect(await receipts()).toEqual([['count', 'succeeded']]);
    server.probes.release();
    await expect.poll(receipts).toEqual([
      ['wait', 'succeeded'],
      ['count', 'succeeded'],
    ]);
    expect(server.probes.aborted()).toBe(false);
  });

  it('SAI-25.3 is joined also when nobody waits for it any more', async () => {
    const begun = server.probes.begun();
    const socket = await open(server.analystPort);
    socket.write(bytes('wait'));
    await begun;
    socket.resetAndDestroy();
    let closed = false;
    const closing = server.stop().then(() => (closed = true));
    await expect(open(server.analystPort)).rejects.toThrow('ECONNREFUSED');
    // Both listeners are closed but for the work: what still holds the end back can only be that.
    await expect(fetch(`${server.origin}/health`)).rejects.toThrow('fetch failed');
    expect(closed).toBe(false);
    server.probes.release();
    await closing;
  });

  it('SAI-25.2 is bounded: more at once is told to come back', async () => {
    const sockets = await Promise.all(Array.from({ length: 64 }, () => open(server.analystPort)));
    const last = server.probes.begun(64);
    for (const socket of sockets) socket.write(bytes('wait'));
    await last;
    const reply = await exchange(server.analystPort, bytes('count'));
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '1']);
    expect(server.probes.runs()).toBe(0);
    server.probes.release();
    for (const socket of sockets) {
      expect((await readReply(socket)).status).toBe(200);
      socket.destroy();
    }
    expect((await exchange(server.analystPort, bytes('count'))).status).toBe(200);
  });

  it('SAI-25.3 is joined when the server closes, and none is admitted after', async () => {
    const begun = server.probes.begun();
    const socket = await open(server.analystPort);
    const idle = await open(server.analystPort);
    socket.write(bytes('wait'));
    await begun;
    let closed = false;
    const closing = server.stop().then(() => (closed = true));
    await expect(open(server.analystPort)).rejects.toThrow('ECONNREFUSED');
    idle.write(bytes('count'));
    expect(
      await readReply(idle).then(
        ({ status }) => status,
        () => 'ended',
      ),
    ).not.toBe(200);
    expect([closed, server.probes.runs()]).toEqual([false, 0]);
    server.probes.release();
    expect((await readReply(socket)).status).toBe(200);
    await closing;
    expect(closed).toBe(true);
  });
});
