import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { connect, type HttpDefinition } from '../connect.ts';
import { callOf, connected, textOf, toolOf } from './testing/opened.ts';
import { listed } from './testing/peer.ts';

/** One JSON-RPC message that came over HTTP. */
interface Posted {
  readonly id?: number;
  readonly method: string;
  readonly params?: { readonly name?: string; readonly arguments?: { readonly mib?: number } };
  readonly headers: IncomingMessage['headers'];
}

type Handler = (posted: Posted, response: ServerResponse, request: IncomingMessage) => unknown;

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** A server over HTTP in this process: `tools` answer tools/call by name, `other` may take any message before. */
async function serve(tools: Record<string, Handler>, other: Handler = () => false) {
  const requests: Posted[] = [];
  const server = createServer((request, response) => void answer(request, response)).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await request.toArray()).join('');
    const { method = '', headers } = request;
    const posted: Posted = { ...(body === '' ? { method } : (JSON.parse(body) as Posted)), headers };
    requests.push(posted);
    if ((await other(posted, response, request)) !== false) return;
    if (posted.method === 'initialize') {
      const serverInfo = { name: 'web', version: '1' };
      return json(response, posted, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo,
      });
    }
    if (posted.method === 'tools/list')
      return json(response, posted, { tools: Object.keys(tools).map((name) => listed(name)) });
    if (posted.method === 'tools/call')
      return void tools[posted.params?.name ?? '']?.(posted, response, request);
    response.writeHead(posted.id === undefined && method === 'POST' ? 202 : 405).end();
  }

  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const definition: HttpDefinition = { transport: 'streamable-http', url };
  const methods = () => requests.map(({ method }) => method);
  return { definition, requests, methods, server };
}

function json(response: ServerResponse, { id }: Posted, result: unknown): void {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
const echo: Handler = (posted, response) => json(response, posted, text('echo'));

function events(response: ServerResponse, ...messages: object[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const message of messages) response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}

const SOON = { timeout: 10_000, interval: 5 };

describe('a start over HTTP', () => {
  it('SAI-32.5 sends no HEAD, and its own headers with every request', async () => {
    const { definition, requests, methods } = await serve({ echo });
    const headers = { authorization: 'Bearer of-visitor' };
    const connection = await connected({ ...definition, headers });
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
    expect(methods().filter((method) => method !== 'GET')).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
    ]);
    expect(requests.every((request) => request.headers.authorization === 'Bearer of-visitor')).toBe(true);
    expect(requests.every((request) => !('portolan-exchange' in request.headers))).toBe(true);
    expect(connection).toMatchObject({ pid: undefined, serverInfo: { name: 'web' }, revision: '2025-11-25' });
  });

  it('SAI-32.5 offers no roots', async () => {
    const { definition, requests } = await serve({ echo });
    await connected(definition);
    expect(requests[0]?.params).toMatchObject({ capabilities: {} });
  });

  it.each([
    ['a refusal', 401, 'http_refused', { code: 401, message: 'go away' }],
    ['a missing endpoint', 404, 'http_refused', { code: 404, message: 'go away' }],
  ])('SAI-32.3 fails by %s, in its phase', async (_, status, code, peer) => {
    const { definition } = await serve({}, (_posted, response) => response.writeHead(status).end('go away'));
    await expect(connect(definition, { budget: 5_000 })).rejects.toMatchObject({
      code,
      peer,
      phase: 'initialize',
    });
  });

  it('SAI-32.3 fails where nobody listens, and says that nothing went out', async () => {
    const { definition, server } = await serve({});
    server.close();
    await expect(connect(definition, { budget: 5_000 })).rejects.toMatchObject({
      code: 'unreachable',
      effects: 'none',
      message: 'The connection to the server failed: ECONNREFUSED.',
    });
  });

  it('SAI-32.1 has one budget over all pages', async () => {
    const { definition } = await serve({}, (posted) => posted.method === 'tools/list');
    await expect(connect(definition, { budget: 300 })).rejects.toMatchObject({
      code: 'timeout',
      phase: 'tools/list',
    });
  });

  it('SAI-42.2 refuses an address of our own before anything is sent', async () => {
    const { definition, requests } = await serve({ echo });
    const port = Number(definition.url.port);
    const isOurs = (address: string, at: number) => address === '127.0.0.1' && at === port;
    const url = new URL(`http://localhost:${port}/mcp`);
    await expect(connect({ ...definition, url }, { budget: 5_000, isOurs })).rejects.toMatchObject({
      code: 'unreachable',
      effects: 'none',
      message: 'The connection to the server failed: the address is one of our own listeners.',
    });
    expect(requests).toEqual([]);
  });

  it('SAI-42.1 speaks 2026-07-28 where the endpoint asks for it in its refusal', async () => {
    const data = { supported: ['2026-07-28'], requested: '2025-11-25' };
    const inputSchema = {
      type: 'object',
      properties: {
        place: { type: 'object', properties: { name: { type: 'string', 'x-mcp-header': 'Place' } } },
        note: { type: 'string', 'x-mcp-header': 'Note' },
        count: { type: 'integer', 'x-mcp-header': 'Count' },
        absent: { type: 'string', 'x-mcp-header': 'Absent' },
        plain: { type: 'string' },
      },
    };
    const { definition, requests, methods } = await serve({ echo }, (posted, response) => {
      const { id, method } = posted;
      if (method === 'initialize') {
        const error = { code: -32022, message: 'unsupported', data };
        return response
          .writeHead(400, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, error }));
      }
      if (method === 'tools/list')
        return json(response, posted, { tools: [listed('echo', { inputSchema })] });
      if (method !== 'server/discover') return false;
      const supported = { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } };
      return json(response, posted, {
        resultType: 'complete',
        ttlMs: 0,
        cacheScope: 'private',
        ...supported,
      });
    });
    const connection = await connected(definition);
    const args = { place: { name: 'Tallinn' }, note: ' õ ', count: 3, plain: 'x' };
    expect(textOf(await callOf(connection, 'echo', args))).toBe('echo');
    expect(methods()).toEqual(['initialize', 'server/discover', 'tools/list', 'tools/call']);
    expect(requests[3]?.headers).toMatchObject({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      'mcp-param-place': 'Tallinn',
      'mcp-param-note': '=?base64?IMO1IA==?=',
      'mcp-param-count': '3',
    });
    expect(
      Object.keys(requests[3]?.headers ?? {}).filter((name) => name.startsWith('mcp-param-')),
    ).toHaveLength(3);
  });
});

describe('a call over HTTP', () => {
  it('SAI-35.7 that is given up closes its own request and leaves the others alone', async () => {
    const closed: string[] = [];
    const hang: Handler = (posted, response) =>
      void response.once('close', () => closed.push(String(posted.id)));
    const slow: Handler = (posted, response) =>
      void setTimeout(() => json(response, posted, text('slow')), 400);
    const { definition, methods } = await serve({ hang, slow, echo });
    const connection = await connected(definition);
    const other = callOf(connection, 'slow');
    await expect(callOf(connection, 'hang', {}, { budget: 150 })).rejects.toMatchObject({
      code: 'timeout',
      effects: 'possible',
    });
    await expect(callOf(connection, 'hang', {}, { signal: AbortSignal.timeout(50) })).rejects.toMatchObject({
      code: 'cancelled',
    });
    await expect.poll(() => closed, SOON).toHaveLength(2);
    await expect.poll(methods, SOON).toContain('notifications/cancelled');
    expect(textOf(await other)).toBe('slow');
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
  });

  it('SAI-35.7 gets events: progress, a ping of the server, and the answer, its letters cut anywhere', async () => {
    const stream: Handler = (posted, response) => {
      const { id, params } = posted;
      const { _meta: { progressToken } = {} } = params as { _meta?: { progressToken?: number } };
      events(response, { jsonrpc: '2.0', id: 'p', method: 'ping' });
      events(response, {
        jsonrpc: '2.0',
        method: 'notifications/progress',
        params: { progressToken, progress: 1 },
      });
      const line = Buffer.from(
        `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: text('õ€漢👩‍🚀') })}\r\n\r\n`,
      );
      for (const byte of line) response.write(Buffer.from([byte]));
      response.end();
    };
    const { definition, requests } = await serve({ stream });
    const connection = await connected(definition);
    const seen: unknown[] = [];
    const result = await callOf(
      connection,
      'stream',
      {},
      { onProgress: (progress: unknown) => seen.push(progress) },
    );
    expect(textOf(result)).toBe('õ€漢👩‍🚀');
    expect(seen).toEqual([{ progress: 1 }]);
    await expect
      .poll(() => requests.some((request) => 'result' in request && 'id' in request), SOON)
      .toBe(true);
  });

  it.each([
    ['breaks off', (_: Posted, response: ServerResponse) => response.destroy(), 'unreachable'],
    [
      'breaks off in its events',
      (_: Posted, response: ServerResponse) => {
        events(response, {
          jsonrpc: '2.0',
          method: 'notifications/message',
          params: { level: 'info', data: 1 },
        });
        setTimeout(() => response.destroy(), 20);
      },
      'unreachable',
    ],
    [
      'ends its events without an answer',
      (_: Posted, response: ServerResponse) => (events(response), response.end()),
      'unreachable',
    ],
    [
      'is for another request',
      (posted: Posted, response: ServerResponse) => json(response, { ...posted, id: 5 }, text('x')),
      'answer_malformed',
    ],
    [
      'is no JSON',
      (_: Posted, response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      'answer_malformed',
    ],
    [
      'is HTML',
      (_: Posted, response: ServerResponse) =>
        response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
      'answer_malformed',
    ],
    [
      'is only an acceptance',
      (_: Posted, response: ServerResponse) => response.writeHead(202).end(),
      'answer_malformed',
    ],
    [
      'is a fault of the server',
      (_: Posted, response: ServerResponse) => response.writeHead(500).end('oops'),
      'http_refused',
    ],
    [
      'is sent elsewhere',
      (_: Posted, response: ServerResponse) =>
        response.writeHead(302, { location: 'http://example.invalid/' }).end(),
      'http_refused',
    ],
  ])('SAI-35.8 whose answer %s fails soon, as possibly done', async (_, bad: Handler, code) => {
    const { definition, requests } = await serve({ bad, echo });
    const connection = await connected(definition);
    await expect(callOf(connection, 'bad')).rejects.toMatchObject({ code, effects: 'possible' });
    expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
    expect(requests.filter(({ params }) => params?.name === 'bad')).toHaveLength(1);
  });

  it(
    'SAI-35.8 takes an answer of 48 MiB and refuses a larger one, declared or not',
    { timeout: 60_000 },
    async () => {
      const big: Handler = (posted, response) => {
        const body = JSON.stringify({ jsonrpc: '2.0', id: posted.id, result: text('') });
        const fill = 'x'.repeat((posted.params?.arguments?.mib ?? 0) * 1024 * 1024 - body.length);
        response.writeHead(200, { 'content-type': 'application/json' });
        response.write(body.slice(0, -5));
        response.end(fill + body.slice(-5));
      };
      const endless: Handler = (_, response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.write('data: ');
        const more = () => {
          while (!response.destroyed && response.write('x'.repeat(1024 * 1024)));
        };
        response.on('drain', more);
        more();
      };
      const { definition } = await serve({ big, endless, echo });
      const connection = await connected(definition);
      expect(textOf(await callOf(connection, 'big', { mib: 48 })).length).toBeGreaterThan(47 * 1024 * 1024);
      await expect(callOf(connection, 'big', { mib: 49 })).rejects.toMatchObject({
        code: 'answer_too_large',
      });
      await expect(callOf(connection, 'endless')).rejects.toMatchObject({ code: 'answer_too_large' });
      expect(textOf(await callOf(connection, 'echo'))).toBe('echo');
    },
  );
});

describe('a refresh over HTTP', () => {
  it('SAI-33.3 is fenced by a close, even when its last page has just come', async () => {
    let token: unknown;
    const hold: Handler = ({ params }) => {
      token = (params as { _meta?: { progressToken?: number } })['_meta']?.progressToken;
    };
    let lists = 0;
    const { definition } = await serve({ hold }, ({ id, method }, response) => {
      if (method !== 'tools/list' || ++lists === 1) return false;
      // One body brings the page and then, before anybody can look at it, the progress by which the test closes.
      const page = { jsonrpc: '2.0', id, result: { tools: [] } };
      const params = { progressToken: token, progress: 1 };
      response.writeHead(200, { 'content-type': 'application/json' });
      return response.end(
        JSON.stringify([page, { jsonrpc: '2.0', method: 'notifications/progress', params }]),
      );
    });
    const connection = await connected(definition);
    const first = connection.catalog;
    const held = callOf(connection, 'hold', {}, { onProgress: () => void connection.close() });
    await expect.poll(() => token, SOON).toBeDefined();
    await expect(connection.refresh({ budget: 5_000 })).rejects.toMatchObject({ code: 'closed' });
    await expect(held).rejects.toMatchObject({ code: 'closed', effects: 'possible' });
    expect(connection.catalog).toBe(first);
  });
});

describe('a session over HTTP', () => {
  /** A server that gives session ids, and may forget them. */
  async function sessions() {
    const known = new Set<string>();
    let count = 0;
    const peer = await serve({ echo, renamed: echo }, (posted, response) => {
      if (posted.method === 'initialize') {
        known.add(`session-${++count}`);
        response.setHeader('mcp-session-id', `session-${count}`);
        return false;
      }
      return known.has(String(posted.headers['mcp-session-id'])) ? false : response.writeHead(404).end();
    });
    return { ...peer, forget: () => known.clear() };
  }

  it('A-05 SAI-42.3 that is lost is reported as lost, sent once, and begins anew only by a new start', async () => {
    const { definition, requests, forget } = await sessions();
    const connection = await connected(definition);
    const tool = toolOf(connection, 'echo');
    expect(textOf(await connection.call(tool, {}))).toBe('echo');
    forget();
    const before = requests.length;
    await expect(connection.call(tool, {})).rejects.toMatchObject({
      code: 'session_lost',
      effects: 'possible',
    });
    expect(requests.length).toBe(before + 1);
    expect(await connection.ended).toMatchObject({
      failure: { code: 'session_lost' },
      containment: { contained: true },
    });
    await expect(connection.call(tool, {})).rejects.toMatchObject({ code: 'closed', effects: 'none' });
    expect(requests.length).toBe(before + 1);

    const again = await connected(definition);
    expect(requests[before + 1]?.headers).not.toHaveProperty('mcp-session-id');
    expect(textOf(await callOf(again, 'renamed'))).toBe('echo');
  });

  it('SAI-42.3 is taken leave of at close', async () => {
    const { definition, requests } = await sessions();
    const connection = await connected(definition);
    expect(await connection.close()).toEqual({ contained: true });
    expect(requests.at(-1)).toMatchObject({ method: 'DELETE', headers: { 'mcp-session-id': 'session-1' } });
  });

  it('SAI-42.3 is left at once where the server does not answer its leave', async () => {
    const { definition } = await serve({ echo }, (posted, response) => {
      if (posted.method === 'initialize') response.setHeader('mcp-session-id', 'one');
      return posted.method === 'DELETE';
    });
    const connection = await connected(definition);
    const begin = performance.now();
    expect(await connection.close()).toEqual({ contained: true });
    expect(performance.now() - begin).toBeLessThan(3_500);
  });
});
