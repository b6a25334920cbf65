import { z } from 'zod';
import { afterEach, describe, expect, it } from 'vitest';
import { edge, HttpProblem, listen, pages, readJson } from './index.ts';
import type { EdgeOptions, Listener } from './index.ts';
import { memoryLog } from './testing/log.ts';
import { exchange, wire } from './testing/wire.ts';

const open: Listener[] = [];
afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close({ graceMs: 0 }))));

/** An edge with one route of each kind that these tests need, on a port of its own. */
async function start(options: Partial<EdgeOptions> = {}) {
  const { log, lines } = memoryLog();
  const app = edge({ log, name: 'harbour', bodyLimit: 64, ...options });
  app.get('/ships/:name', (c) => c.json({ name: c.req.param('name') }));
  app.post('/ships', async (c) => c.json(await readJson(c, z.strictObject({ length: z.number() })), 201));
  app.post('/raw', async (c) => c.json({ bytes: (await c.req.text()).length }));
  app.post('/loose', async (c) => c.json(await c.req.json<object>()));
  const arrived = new Promise<void>((resolve) =>
    app.post('/cut', (c) => {
      resolve();
      return c.req.text().then((text) => c.text(text));
    }),
  );
  // More than the system takes from us for a reader that takes nothing.
  app.get('/large', (c) => c.body('x'.repeat(20_000_000)));
  app.get('/client', (c) => c.json(c.get('client')));
  app.get('/page', pages({ connect: ['http://chat.test'] }), (c) => c.html('<p>Harbour</p>'));
  app.get('/broken', () => {
    throw new Error('secret database address');
  });
  app.get('/thrown', () => {
    // oxlint-disable-next-line typescript/only-throw-error
    throw 'a word';
  });
  app.get('/ours', () => JSON.parse('{') as Response);
  app.get('/taken', () => {
    throw new HttpProblem(409, 'conflict', 'The berth is taken.', { 'x-berth': '7' });
  });
  const listener = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0, log });
  open.push(listener);
  const ask = async (path: string, init?: RequestInit) => {
    const answer = await fetch(listener.origin + path, init);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, json: () => JSON.parse(text) as unknown };
  };
  return { ...listener, ask, lines, arrived };
}

const post = (body: string, type = 'application/json') => ({
  method: 'POST',
  body,
  headers: { 'content-type': type },
});

describe('every answer', () => {
  it('carries a request id of its own and the constant headers', async () => {
    const { ask } = await start();
    const one = await ask('/ships/Tallinn', { headers: { 'x-request-id': 'chosen' } });
    expect(one.json()).toEqual({ name: 'Tallinn' });
    expect(one.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/);
    expect(one.headers.get('cache-control')).toBe('no-store');
    expect(one.headers.get('x-content-type-options')).toBe('nosniff');
    expect(one.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    const other = await ask('/ships/Riga');
    expect(other.headers.get('x-request-id')).not.toBe(one.headers.get('x-request-id'));
  });

  it('is a page only where the route says so', async () => {
    const { ask } = await start();
    const { headers } = await ask('/page');
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'self'; connect-src 'self' http://chat.test; img-src 'self' data:; object-src 'none'; " +
        "base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(headers.get('cache-control')).toBe('private, no-cache');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('strict-transport-security')).toBeNull();
  });

  it('leaves one log line with the pattern of its route, without path, query or headers', async () => {
    const { ask, lines, ...listener } = await start();
    await ask('/ships/Invitation-Q7?token=query', { headers: { authorization: 'Bearer hidden' } });
    await listener.close({ graceMs: 60_000 });
    expect(lines()).toHaveLength(1);
    expect(lines()[0]).toMatchObject({ level: 'info', msg: 'request', method: 'GET', route: '/ships/:name' });
    expect(lines()[0]).toMatchObject({ status: 200, requestId: expect.stringMatching(/^[\da-f-]{36}$/) });
    expect(JSON.stringify(lines())).not.toMatch(/Q7|query|hidden/);
  });

  it('says in the log that it was cut', async () => {
    const { port, lines, arrived, ...listener } = await start();
    const line = await wire(port);
    line.write('POST /cut HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\nhalf');
    await arrived;
    line.socket.resetAndDestroy();
    await listener.close({ graceMs: 60_000 });
    const cut = { msg: 'request', route: '/cut', status: 499, cut: true };
    expect(lines()).toEqual([expect.objectContaining(cut)]);
  });

  it('is read to its end while the listener closes, within its grace, and else told as cut', async () => {
    for (const [graceMs, cut, isCut] of [
      [60_000, 0, undefined],
      [20, 1, true],
    ] as const) {
      const { port, lines, close } = await start();
      const line = await wire(port);
      line.write('GET /large HTTP/1.1\r\nhost: a\r\n\r\n');
      await line.until(/x/);
      line.socket.pause();
      const closed = close({ graceMs });
      if (cut === 0) line.socket.resume();
      expect(await closed).toEqual({ cut });
      line.socket.resume();
      expect((await line.end()).endsWith('x'.repeat(20_000_000))).toBe(cut === 0);
      expect([lines()[0]?.status, lines()[0]?.cut]).toEqual([200, isCut]);
    }
  });
});

describe('every error', () => {
  it.each([
    ['an unknown address', '/nowhere', {}, 404, 'not_found'],
    ['an unknown method', '/ships/Tallinn', { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['a problem of the app', '/taken', {}, 409, 'conflict'],
    ['text that is no JSON', '/ships', post('{"length":'), 400, 'invalid_json'],
    ['no JSON where the handler parses by itself', '/loose', post('{"length":'), 400, 'invalid_json'],
    ['another content type', '/ships', post('length=7', 'text/plain'), 415, 'unsupported_media_type'],
    ['a wrong field', '/ships', post('{"length":"long"}'), 400, 'invalid_input'],
    ['a body above the limit', '/raw', post('x'.repeat(65)), 413, 'too_large'],
  ])('is one JSON shape: %s', async (_, path, init, status, error) => {
    const { ask } = await start();
    const answer = await ask(path, init);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.json()).toEqual({ error, message: expect.stringMatching(/^[A-Z].*\.$|: /) });
  });

  it('names the methods that an address takes', async () => {
    const { ask } = await start();
    expect((await ask('/ships/Tallinn', { method: 'PUT' })).headers.get('allow')).toBe('GET, HEAD');
    expect((await ask('/ships', { method: 'DELETE' })).headers.get('allow')).toBe('POST');
  });

  it('names the fields of an input that are wrong', async () => {
    const { ask } = await start();
    expect((await ask('/ships', post('{"length":"long","draft":2}'))).json()).toEqual({
      error: 'invalid_input',
      message: 'length: Invalid input: expected number, received string; Unrecognized key: "draft"',
    });
  });

  it('keeps the headers of the problem', async () => {
    const { ask } = await start();
    expect((await ask('/taken')).headers.get('x-berth')).toBe('7');
  });

  it.each(['/broken', '/thrown', '/ours'])(
    'that nobody expected (%s) is opaque, and whole in the log under its reference',
    async (path) => {
      const { ask, lines } = await start();
      const answer = await ask(path);
      const reference = answer.headers.get('x-request-id');
      expect(answer.status).toBe(500);
      expect(answer.json()).toEqual({
        error: 'internal',
        message: `Something failed on our side. Quote reference ${reference} to its operator.`,
        reference,
      });
      expect(lines()[0]).toMatchObject({
        level: 'error',
        requestId: reference,
        err: { stack: expect.any(String) },
      });
    },
  );

  it('of the kinds that the app knows is answered as the app says', async () => {
    const explain = (error: unknown) =>
      error instanceof Error && error.message.startsWith('secret')
        ? new HttpProblem(503, 'unavailable', 'The harbour is closed.')
        : undefined;
    const { ask } = await start({ explain });
    expect((await ask('/broken')).json()).toEqual({
      error: 'unavailable',
      message: 'The harbour is closed.',
    });
  });
});

describe('the body limit', () => {
  it('counts a body of unknown length while it comes, and lets one of the right length through', async () => {
    const { port, ask } = await start();
    const chunked =
      'POST /raw HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n';
    const whole = await exchange(port, `${chunked}40\r\n${'x'.repeat(64)}\r\n0\r\n\r\n`);
    expect(whole).toMatch(/^HTTP\/1\.1 200 [^]*\{"bytes":64\}$/);
    const over = await exchange(port, `${chunked}41\r\n${'x'.repeat(65)}\r\n`);
    expect(over).toMatch(/^HTTP\/1\.1 413 [^]*"error":"too_large"/);
    expect((await ask('/raw', post('x'.repeat(64)))).json()).toEqual({ bytes: 64 });
  });

  it('answers a declared length above it before a byte of the body has come', async () => {
    const { port } = await start();
    const line = await wire(port);
    line.write('POST /raw HTTP/1.1\r\nhost: a\r\ncontent-length: 65\r\n\r\n');
    await line.until(/^HTTP\/1\.1 413 /);
    line.socket.destroy();
  });

  it('may differ by path', async () => {
    const { ask } = await start({ bodyLimit: (path) => (path === '/raw' ? 100 : 10) });
    expect((await ask('/raw', post('x'.repeat(100)))).status).toBe(200);
    expect((await ask('/ships', post('{"length": 7}'))).status).toBe(413);
  });

  it('holds where a test calls the app without a socket', async () => {
    const app = edge({ log: memoryLog().log, name: 'harbour', bodyLimit: 4 });
    app.post('/raw', async (c) => c.text(await c.req.text()));
    expect((await app.request('/raw', post('1234'))).status).toBe(200);
    expect((await app.request('/raw', post('12345'))).status).toBe(413);
  });
});

describe('the host', () => {
  it('is answered when known, with any port or with the one that is named, else 421', async () => {
    const { port } = await start({ hosts: ['harbour.test', 'Port.test:81'] });
    const status = async (host: string) =>
      (await exchange(port, `GET /client HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)).slice(
        9,
        12,
      );
    expect(await status('harbour.test')).toBe('200');
    expect(await status('HARBOUR.test:9999')).toBe('200');
    expect(await status('port.test:81')).toBe('200');
    expect(await status('port.test:82')).toBe('421');
    expect(await status('harbour.test.evil')).toBe('421');
  });

  it('does not matter to health questions', async () => {
    const { ask } = await start({ hosts: ['harbour.test'] });
    expect((await ask('/health')).status).toBe(200);
    expect((await ask('/client')).json()).toMatchObject({ error: 'misdirected' });
  });
});

describe('the client', () => {
  const forwarded = {
    headers: {
      'x-forwarded-for': '198.51.100.1, 203.0.113.9, 10.0.0.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'Harbour.test',
    },
  };

  it('is the peer when no proxy is trusted, whatever is forwarded', async () => {
    const { ask, port } = await start();
    expect((await ask('/client', forwarded)).json()).toEqual({
      address: '127.0.0.1',
      host: `127.0.0.1:${port}`,
      scheme: 'http',
      forwarded: true,
    });
  });

  it('is the last address that no trusted proxy vouches for', async () => {
    const { ask } = await start({ trustedProxies: ['127.0.0.1', '10.0.0.0/8'] });
    expect((await ask('/client', forwarded)).json()).toEqual({
      address: '203.0.113.9',
      host: 'harbour.test',
      scheme: 'https',
      forwarded: true,
    });
    expect((await ask('/page', forwarded)).headers.get('strict-transport-security')).toMatch(/^max-age=/);
  });

  it('cannot be configured by a misspelt address', async () => {
    await expect(start({ trustedProxies: ['10.0.0.0/33'] })).rejects.toThrow(
      "'10.0.0.0/33' is neither an address nor a network like 10.0.0.0/8",
    );
  });
});

describe('health', () => {
  it('says that the process answers', async () => {
    const { ask } = await start();
    expect((await ask('/health')).json()).toEqual({ status: 'ok', name: 'harbour' });
  });

  it('says what is missing until the app is ready', async () => {
    const missing = [{ error: 'database', message: 'The database does not answer.' }];
    const { ask } = await start({ ready: () => Promise.resolve(missing) });
    const before = await ask('/ready');
    expect([before.status, before.json()]).toEqual([503, { ready: false, problems: missing }]);
    missing.pop();
    const after = await ask('/ready');
    expect([after.status, after.json()]).toEqual([200, { ready: true, problems: [] }]);
  });

  it('measures requests by route pattern, for this machine only', async () => {
    const { ask } = await start();
    await ask('/ships/Tallinn');
    await ask('/ships/Riga');
    const { text, headers } = await ask('/metrics');
    expect(text).toContain('http_request_seconds_count{method="GET",route="/ships/:name",status="2xx"} 2');
    expect(text).toContain('http_requests_open 1');
    expect(text).toContain('process_resident_memory_bytes');
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
    expect((await ask('/metrics', { headers: { 'x-forwarded-for': '127.0.0.1' } })).status).toBe(404);
  });
});
