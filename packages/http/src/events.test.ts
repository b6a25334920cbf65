import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { edge, eventStream, listen } from './index.ts';
import type { EventStream, EventStreamOptions, Listener } from './index.ts';
import { memoryLog } from './testing/log.ts';
import { wire } from './testing/wire.ts';

const open: Listener[] = [];
afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close({ graceMs: 0 }))));

async function start(produce: (stream: EventStream) => Promise<void>, options: EventStreamOptions = {}) {
  const { log, lines } = memoryLog();
  const app = edge({ log, name: 'events', bodyLimit: 64 });
  let answered: () => void = () => {};
  const isAnswered = new Promise<void>((resolve) => (answered = resolve));
  app.use(async (c, next) => {
    c.header('access-control-allow-origin', 'http://page.test');
    await next();
    answered();
  });
  app.get('/feed', (c) => eventStream(c, produce, options));
  const listener = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0, log });
  open.push(listener);
  const read = async (headers = '') => {
    const line = await wire(listener.port);
    line.write(`GET /feed HTTP/1.1\r\nhost: a\r\n${headers}\r\n`);
    return line;
  };
  return { listener, read, lines, isAnswered, url: `${listener.origin}/feed` };
}

/** Lasts until the stream is over. */
const over = ({ signal }: EventStream) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));

describe('an event stream', () => {
  it('sends events of several lines and ends when its producer does', async () => {
    const { url } = await start(async ({ send }) => {
      await send({ id: '1', event: 'ship', data: 'Tallinn\nRiga\r\nTurku' });
      await send({ data: '' });
    });
    const answer = await fetch(url);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'access-control-allow-origin': 'http://page.test',
      'x-content-type-options': 'nosniff',
    });
    expect(await answer.text()).toBe(
      'id: 1\nevent: ship\ndata: Tallinn\ndata: Riga\ndata: Turku\n\ndata: \n\n',
    );
  });

  it('sends its head before the first event', async () => {
    const { read } = await start(over);
    const line = await read();
    expect(await line.until(/\r\n\r\n$/)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    line.socket.destroy();
  });

  it('lets go of its handler while it goes on', async () => {
    let say: (word: string) => void = () => {};
    const word = new Promise<string>((resolve) => (say = resolve));
    const { read, isAnswered } = await start(async ({ send }) => send({ data: await word }));
    const line = await read();
    await isAnswered;
    say('after the handler');
    expect(await line.until(/data: .*\n\n/)).toContain('data: after the handler');
  });

  it('tells what the reader has seen', async () => {
    const { read } = await start(async ({ lastEventId, send }) => send({ data: `after ${lastEventId}` }));
    await (await read('last-event-id: 41\r\n')).until(/data: after 41\n\n/);
  });

  it('sends a comment into silence', async () => {
    const { read } = await start(over, { heartbeatMs: 10 });
    const line = await read();
    await line.until(/\r\n:\n\n\r\n[^]*\r\n:\n\n\r\n/);
    line.socket.destroy();
  });

  it('lets no event forge another', async () => {
    const { read, lines } = await start(({ send }) => send({ event: 'a\ndata: forged', data: '' }));
    expect(await (await read()).end()).not.toContain('forged');
    expect(lines()[0]).toMatchObject({ err: { message: 'The event field of an event must be one line' } });
  });

  it('stops its producer while the reader takes nothing, and goes on after', async () => {
    let sent = 0;
    const { read } = await start(async ({ send, signal }) => {
      while (!signal.aborted) {
        await send({ data: 'x'.repeat(100_000) });
        sent += 1;
      }
    });
    const line = await read();
    await line.until(/data: x/);
    line.socket.pause();
    const stopped = await settled(() => sent);
    expect(stopped).toBeLessThan(1000);
    line.socket.resume();
    await expect.poll(() => sent).toBeGreaterThan(stopped);
    line.socket.destroy();
  });

  it('ends its producer when the reader goes', async () => {
    let ended: () => void = () => {};
    const end = new Promise<void>((resolve) => (ended = resolve));
    const { read } = await start(async (stream) => {
      await over(stream);
      await expect(stream.send({ data: 'late' })).rejects.toThrow();
      ended();
    });
    const line = await read();
    await line.until(/\r\n\r\n/);
    line.socket.destroy();
    await end;
  });

  it('ends its producer when the reader has gone before it begins', async () => {
    const { log } = memoryLog();
    const app = edge({ log, name: 'events', bodyLimit: 64 });
    const produced = new Promise<boolean>((resolve) => {
      app.get('/feed', async (c) => {
        const { outgoing } = c.env;
        await new Promise<void>((gone) => outgoing?.once('close', gone));
        return eventStream(c, ({ signal }) => Promise.resolve(resolve(signal.aborted)));
      });
    });
    const listener = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0, log });
    open.push(listener);
    const line = await wire(listener.port);
    line.write('GET /feed HTTP/1.1\r\nhost: a\r\n\r\n');
    line.socket.end();
    expect(await produced).toBe(true);
  });

  it('ends also where it waits behind another on a connection that has gone', async () => {
    let begun = 0;
    const { read, listener, lines } = await start(async (stream) => {
      begun += 1;
      await over(stream);
    });
    const line = await read('\r\nGET /feed HTTP/1.1\r\nhost: a\r\n');
    await expect.poll(() => begun).toBe(2);
    line.socket.destroy();
    await expect.poll(lines).toEqual(Array(2).fill(expect.objectContaining({ route: '/feed', cut: true })));
    expect(await listener.close({ graceMs: 60_000 })).toEqual({ cut: 0 });
  });

  it('ends whole when the listener closes, even if its producer does not', async () => {
    const { read, listener } = await start(() => new Promise(() => {}));
    const line = await read();
    await line.until(/\r\n\r\n/);
    const closed = listener.close({ graceMs: 50 });
    expect(await line.end()).toMatch(/\r\n0\r\n\r\n$/);
    expect(await closed).toEqual({ cut: 1 });
  });

  it('is torn, never ended as if whole, when its producer fails', async () => {
    const { read, lines, listener } = await start(async ({ send }) => {
      await send({ data: 'first' });
      throw new Error('the source broke');
    });
    const text = await (await read()).end();
    expect(text).toContain('data: first');
    expect(text).not.toMatch(/\r\n0\r\n\r\n$/);
    await listener.close({ graceMs: 60_000 });
    expect(lines()[0]).toMatchObject({ msg: 'event stream failed', err: { message: 'the source broke' } });
    expect(lines()[1]).toMatchObject({ msg: 'request', route: '/feed', cut: true });
  });

  it('answers HEAD without producing', async () => {
    let produced = 0;
    const { url } = await start(() => Promise.resolve(void (produced += 1)));
    const answer = await fetch(url, { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(produced).toBe(0);
  });
});

/** The value once it has not changed for a thousand turns of the event loop. */
async function settled(read: () => number): Promise<number> {
  let [value, still] = [read(), 0];
  while (still < 1000) {
    await turn();
    const now = read();
    still = now === value ? still + 1 : 0;
    value = now;
  }
  return value;
}
