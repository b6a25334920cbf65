import { afterEach, describe, expect, it } from 'vitest';
import { listen } from './index.ts';
import type { ListenOptions, Listener } from './index.ts';
import { memoryLog } from './testing/log.ts';
import { exchange, wire } from './testing/wire.ts';

const open: Listener[] = [];
afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close({ graceMs: 0 }))));

const echo = async (request: Request) => new Response(await request.text());

async function start(options: Partial<ListenOptions> = {}): Promise<Listener> {
  const { log } = memoryLog();
  const listener = await listen({ fetch: echo, host: '127.0.0.1', port: 0, log, ...options });
  open.push(listener);
  return listener;
}

const refused = { status: 401, body: { error: 'unauthorized', message: 'Say who you are.' } };
const closing = 'connection: close\r\n';

/** A promise with its key. */
function latch<T = void>() {
  let release: (value: T) => void = () => {};
  const opened = new Promise<T>((resolve) => (release = resolve));
  return { opened, release };
}

describe('the guard', () => {
  it('answers from the head, before a byte of the body has come', async () => {
    let reached = 0;
    const fetch = () => Promise.resolve(new Response(String((reached += 1))));
    const { port } = await start({ guard: () => refused, fetch });
    const line = await wire(port);
    line.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\n');
    expect(await line.until(/\}$/)).toMatch(
      /^HTTP\/1\.1 401 [^]*\{"error":"unauthorized","message":"Say who you are\."\}$/,
    );
    expect(reached).toBe(0);
    line.socket.destroy();
  });

  it('keeps the connection for the next request when the refused body was small', async () => {
    const { port } = await start({ guard: ({ headers }) => (headers.authorization ? undefined : refused) });
    const line = await wire(port);
    line.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 4\r\n\r\nbody');
    await line.until(/^HTTP\/1\.1 401 [^]*\}$/);
    line.write('POST / HTTP/1.1\r\nhost: a\r\nauthorization: x\r\ncontent-length: 2\r\n\r\nhi');
    expect(await line.until(/HTTP\/1\.1 200 [^]*hi$/)).toContain('401');
    line.socket.destroy();
  });

  it('cuts a client that goes on sending a refused body without end', async () => {
    const { port } = await start({ guard: () => refused });
    const line = await wire(port);
    line.write('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    const pour = () => {
      while (!line.socket.destroyed && line.socket.write(chunk));
    };
    line.socket.on('drain', pour);
    pour();
    expect(await line.end()).toMatch(/^HTTP\/1\.1 401 /);
    expect(line.socket.bytesWritten).toBeLessThan(64 * 1024 * 1024);
  });

  it('cuts a client that does not go on sending a refused body', async () => {
    const { port } = await start({ guard: () => refused });
    const answer = await exchange(port, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhalf');
    expect(answer).toMatch(/^HTTP\/1\.1 401 [^]*\}$/);
  });

  it.each([
    ['no Host', 'GET / HTTP/1.1\r\n'],
    ['two Hosts', 'GET / HTTP/1.1\r\nhost: a\r\nhost: b\r\n'],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n'],
    ['an upgrade', 'GET / HTTP/1.1\r\nhost: a\r\nupgrade: websocket\r\n'],
    ['an awaited continue', 'POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 0\r\n'],
    ['another expectation', 'POST / HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\ncontent-length: 0\r\n'],
  ])('sees a request with %s first', async (_, head) => {
    const { port } = await start({ guard: () => refused });
    expect(await exchange(port, `${head}${closing}\r\n`)).toMatch(/^HTTP\/1\.1 401 [^]*"unauthorized"/);
  });

  it('sees the second of two headers that node hides', async () => {
    const seen = latch<string[]>();
    const guard: ListenOptions['guard'] = ({ rawHeaders }) => {
      seen.release(rawHeaders);
      return undefined;
    };
    const { port } = await start({ guard });
    await exchange(
      port,
      `GET / HTTP/1.1\r\nhost: a\r\nauthorization: one\r\nauthorization: two\r\n${closing}\r\n`,
    );
    expect((await seen.opened).filter((text) => /^(one|two)$/.test(text))).toEqual(['one', 'two']);
  });

  it('that fails refuses with an opaque 500', async () => {
    const { log, lines } = memoryLog();
    const { port } = await start({
      log,
      guard: () => {
        throw new Error('guard broke');
      },
    });
    const answer = await exchange(port, `GET / HTTP/1.1\r\nhost: a\r\n${closing}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 500 [^]*"error":"internal"/);
    expect(answer).not.toContain('guard broke');
    expect(lines()[0]).toMatchObject({ err: { message: 'guard broke' } });
  });
});

describe('a request that waits for 100 Continue', () => {
  const head = 'POST / HTTP/1.1\r\nhost: a\r\nexpect: 100-continue\r\ncontent-length: 5\r\n';

  it('is told to go on when its body is first read', async () => {
    const { port } = await start();
    const line = await wire(port);
    line.write(`${head}${closing}\r\n`);
    await line.until(/^HTTP\/1\.1 100 Continue\r\n\r\n$/);
    line.write('cargo');
    expect(await line.end()).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n[^]*cargo$/);
  });

  it('is not told to go on once its answer has begun', async () => {
    const { port } = await start({
      node(incoming, outgoing) {
        outgoing.writeHead(403);
        outgoing.write('early');
        incoming.resume().once('end', () => outgoing.end());
        return true;
      },
    });
    const line = await wire(port);
    line.write(`${head}${closing}\r\n`);
    await line.until(/^HTTP\/1\.1 403 [^]*early/);
    line.write('cargo');
    expect(await line.end()).not.toContain('100 Continue');
  });
});

describe('what is no proper request', () => {
  it.each([
    ['no Host', 'GET / HTTP/1.1\r\n', 400],
    ['two Hosts', 'GET / HTTP/1.1\r\nhost: a\r\nhost: a\r\n', 400],
    ['a Host that is none', 'GET / HTTP/1.1\r\nhost: a b\r\n', 400],
    ['a target that is none', 'GET nothing HTTP/1.1\r\nhost: a\r\n', 400],
    ['CONNECT', 'CONNECT a:1 HTTP/1.1\r\nhost: a\r\n', 405],
    ['another expectation', 'GET / HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\n', 417],
    ['headers above 16 KiB', `GET / HTTP/1.1\r\nhost: a\r\nx: ${'x'.repeat(17_000)}\r\n`, 431],
    ['two lengths', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n', 400],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n',
      400,
    ],
    ['no HTTP at all', 'hello\r\n', 400],
  ])('is refused in JSON: %s', async (_, head, status) => {
    const { port } = await start({ fetch: () => new Response('reached') });
    const answer = await exchange(port, `${head}${closing}\r\n`);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/\r\n\r\n\{"error":"[a-z_]+","message":"[^"]+"\}$/);
  });

  it('is refused when the app itself lets an error through', async () => {
    const { log, lines } = memoryLog();
    const { port } = await start({ log, fetch: () => Promise.reject(new Error('loose')) });
    const answer = await exchange(port, `GET / HTTP/1.1\r\nhost: a\r\n${closing}\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 500 [^]*"error":"internal"/);
    expect(lines()[0]).toMatchObject({ msg: 'unexpected error', err: { message: 'loose' } });
  });
});

describe('the bounds of a listener', () => {
  it('end a head that does not come', async () => {
    const { port } = await start({ limits: { headMs: 50 } });
    expect(await exchange(port, 'GET / HTTP/1.1\r\n')).toMatch(/^HTTP\/1\.1 408 [^]*"error":"timeout"/);
  });

  it('end a body that does not come', async () => {
    const { port } = await start({ limits: { headMs: 50, requestMs: 50 } });
    await exchange(port, 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhalf');
  });

  it('end an idle connection', async () => {
    const { port } = await start({ limits: { idleMs: 50 } });
    expect(await exchange(port, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('end a connection on which nothing is ever asked', async () => {
    const { port } = await start({ limits: { stallMs: 50 } });
    expect(await (await wire(port)).end()).toBe('');
  });

  it('end an answer that its client does not take, and wait for one that is being made', async () => {
    const made = latch();
    const cut = latch();
    const { port } = await start({
      // Longer than a busy machine takes from a connection to its request.
      limits: { stallMs: 1_000 },
      async fetch(request, { outgoing }) {
        if (request.url.endsWith('/large')) {
          outgoing?.once('close', () => cut.release());
          return new Response('x'.repeat(64 * 1024 * 1024));
        }
        await made.opened;
        return new Response('made');
      },
    });
    const slow = await wire(port);
    slow.write(`GET /slow HTTP/1.1\r\nhost: a\r\n${closing}\r\n`);
    const deaf = await wire(port);
    deaf.socket.pause();
    deaf.write('GET /large HTTP/1.1\r\nhost: a\r\n\r\n');
    await cut.opened;
    deaf.socket.resume();
    expect((await deaf.end()).length).toBeLessThan(64 * 1024 * 1024);
    made.release();
    expect(await slow.end()).toMatch(/made$/);
  });

  it('close a connection too many unheard', async () => {
    const { port } = await start({ limits: { connections: 1 } });
    const first = await wire(port);
    expect(await exchange(port, 'GET / HTTP/1.1\r\nhost: a\r\n\r\n')).toBe('');
    first.write(`GET / HTTP/1.1\r\nhost: a\r\n${closing}\r\n`);
    expect(await first.end()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe('a node handler', () => {
  it('takes the requests that it says it takes', async () => {
    const { origin } = await start({
      node(incoming, outgoing) {
        if (incoming.url !== '/oauth') return false;
        outgoing.end('from node');
        return true;
      },
      fetch: () => new Response('from the app'),
    });
    expect(await (await fetch(`${origin}/oauth`)).text()).toBe('from node');
    expect(await (await fetch(`${origin}/other`)).text()).toBe('from the app');
  });
});

describe('opening', () => {
  it('fails with the reason of the system', async () => {
    const { port } = await start();
    await expect(listen({ fetch: echo, host: '127.0.0.1', port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });

  it('names an IPv6 address as a URL must', async () => {
    const { origin, port } = await start({ host: '::1' });
    expect(origin).toBe(`http://[::1]:${port}`);
  });
});

describe('closing', () => {
  it('waits for an answer in flight, takes no other, and then cuts idle connections', async () => {
    const arrived = latch();
    const made = latch();
    const listener = await start({
      async fetch() {
        arrived.release();
        await made.opened;
        return new Response('made');
      },
    });
    const { port } = listener;
    const idle = await wire(port);
    const busy = await wire(port);
    busy.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await arrived.opened;
    const closed = listener.close({ graceMs: 60_000 });
    await expect(wire(port)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    made.release();
    expect(await closed).toEqual({ cut: 0 });
    expect(await busy.end()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close\r\n[^]*made$/i);
    expect(await idle.end()).toBe('');
  });

  it('refuses a further request on a connection that is still open', async () => {
    const arrived = latch();
    const made = latch();
    const listener = await start({
      async fetch() {
        arrived.release();
        await made.opened;
        return new Response('made');
      },
    });
    const line = await wire(listener.port);
    line.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await arrived.opened;
    const other = await wire(listener.port);
    other.write('GET / HTTP/1.1\r\nhost: a\r\n');
    const closed = listener.close({ graceMs: 60_000 });
    other.write('\r\n');
    expect(await other.end()).toMatch(/^HTTP\/1\.1 503 [^]*"error":"unavailable"/);
    made.release();
    await closed;
    await line.end();
  });

  it('waits for work whose client has gone', async () => {
    const arrived = latch();
    const made = latch();
    let done = false;
    const listener = await start({
      async fetch() {
        arrived.release();
        await made.opened;
        done = true;
        return new Response('made');
      },
    });
    const line = await wire(listener.port);
    line.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await arrived.opened;
    line.socket.resetAndDestroy();
    const closed = listener.close({ graceMs: 60_000 });
    made.release();
    expect(await closed).toEqual({ cut: 0 });
    expect(done).toBe(true);
  });

  it('cuts what has not ended after the grace, and says how many', async () => {
    const arrived = latch();
    const listener = await start({
      fetch() {
        arrived.release();
        return new Promise(() => {});
      },
    });
    const line = await wire(listener.port);
    line.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
    await arrived.opened;
    expect(await listener.close({ graceMs: 20 })).toEqual({ cut: 1 });
    expect(await line.end()).toBe('');
  });
});
