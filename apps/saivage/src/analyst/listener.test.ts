import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callOf, goodRequest, withHeader } from '../testing/requests.ts';
import { openTestServer, type TestServer } from '../testing/server.ts';
import { exchange, headBytes, open, readReply, type Parts, type Reply } from '../testing/wire.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const bearer = 'Bearer analyst-token-of-tests';
const good = () => goodRequest(server);
const header = (name: string, ...values: string[]) => withHeader(good(), name, ...values);
const target = (path: string) => ({ ...good(), target: path });
const message = (value: unknown) => goodRequest(server, value);
const host = () => `127.0.0.1:${server.analystPort}`;
const send = (parts: Parts) => exchange(server.analystPort, headBytes(parts) + parts.body);
const initialize = (protocolVersion: unknown) =>
  message({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  });

type Cases = Readonly<Record<string, () => Parts>>;

describe('SAI-22.1 Host is the address and port, once, and there is no Origin', () => {
  refusedByHead(403, {
    localhost: () => header('Host', `localhost:${server.analystPort}`),
    'another port': () => header('Host', '127.0.0.1:1'),
    'no port': () => header('Host', '127.0.0.1'),
    'no Host': () => header('Host'),
    'an empty Host': () => header('Host', ''),
    'Host twice': () => header('Host', host(), host()),
    'an Origin': () => header('Origin', 'https://example.com'),
    'our own address as Origin': () => header('Origin', `http://${host()}`),
    'Origin null': () => header('Origin', 'null'),
  });
  passes({ 'the address and port': good });
});

describe('SAI-22.2 there is one Authorization with the Analyst token', () => {
  refusedByHead(401, {
    'no token': () => header('Authorization'),
    'a wrong token': () => header('Authorization', 'Bearer other'),
    'the API token': () => header('Authorization', 'Bearer operator-token-of-tests'),
    'another scheme': () => header('Authorization', 'Basic analyst-token-of-tests'),
    'the bare token': () => header('Authorization', 'analyst-token-of-tests'),
    'the token twice': () => header('Authorization', bearer, bearer),
    'a wrong token before it': () => header('Authorization', 'Bearer x', bearer),
    'a wrong token behind it': () => header('Authorization', bearer, 'Bearer x'),
    'two tokens in one header': () => header('Authorization', `${bearer}, ${bearer}`),
  });
  passes({
    'the token': good,
    'the scheme in small letters': () => header('Authorization', 'bearer analyst-token-of-tests'),
  });

  it('names the scheme', async () => {
    const { headers } = await send(header('Authorization'));
    expect(headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('SAI-22.3 the path is the exact one of the project', () => {
  refusedByHead(404, {
    'the root': () => target('/'),
    'an invented digest': () => target(`/mcp/analyst/${'0'.repeat(64)}`),
    capitals: () => target(server.analystPath.toUpperCase()),
    'a slash behind': () => target(`${server.analystPath}/`),
    'a slash before': () => target(`/${server.analystPath}`),
    'an encoded letter': () => target(server.analystPath.replace('m', '%6d')),
    'the absolute form': () => target(server.analystUrl),
  });
  passes({ 'the exact path': good });
});

describe('SAI-22.4 the method is POST', () => {
  refusedByHead(405, {
    GET: () => ({ ...good(), method: 'GET' }),
    DELETE: () => ({ ...good(), method: 'DELETE' }),
    PUT: () => ({ ...good(), method: 'PUT' }),
    OPTIONS: () => ({ ...good(), method: 'OPTIONS' }),
    'GET that asks for an upgrade': () => ({
      ...header('Upgrade', 'websocket'),
      method: 'GET',
      headers: [...header('Upgrade', 'websocket').headers, ['Connection', 'Upgrade']],
    }),
  });
  passes({ POST: good });

  it('names POST', async () => {
    const { headers } = await send({ ...good(), method: 'DELETE' });
    expect(headers.get('allow')).toBe('POST');
  });
});

describe('SAI-22.5 there is no query string and no session', () => {
  refusedByHead(400, {
    'a query': () => target(`${server.analystPath}?token=x`),
    'an empty query': () => target(`${server.analystPath}?`),
    'a session id': () => header('Mcp-Session-Id', 'abc'),
    'an empty session id': () => header('mcp-session-id', ''),
  });
  passes({ neither: good });
});

describe('SAI-22.6 the content is JSON', () => {
  refusedByHead(400, {
    'no Content-Type': () => header('Content-Type'),
    'plain text': () => header('Content-Type', 'text/plain'),
    'a longer name': () => header('Content-Type', 'application/json-patch+json'),
    'the name as a parameter': () => header('Content-Type', 'text/plain; a=application/json'),
    'Content-Type twice': () => header('Content-Type', 'application/json', 'application/json'),
  });
  passes({
    'with a charset': () => header('Content-Type', 'application/json; charset=utf-8'),
    'in capitals': () => header('Content-Type', 'Application/JSON'),
  });
});

describe('SAI-22.7 both types are accepted', () => {
  refusedByHead(406, {
    'no Accept': () => header('Accept'),
    'JSON only': () => header('Accept', 'application/json'),
    'streams only': () => header('Accept', 'text/event-stream'),
    'anything at all': () => header('Accept', '*/*'),
    'JSON with no weight': () => header('Accept', 'application/json;q=0, text/event-stream'),
  });
  passes({
    'the other way round': () => header('Accept', 'text/event-stream,application/json'),
    'in two headers': () => header('Accept', 'application/json', 'text/event-stream'),
    'among others': () => header('Accept', '*/*;q=0.1, application/json;q=0.9, text/event-stream'),
  });
});

describe('SAI-22.8 the body has at most 1 MiB', () => {
  refusedByHead(413, {
    'a byte more, declared': () => header('Content-Length', '1048577'),
    'far more, declared': () => header('Content-Length', '99999999999'),
  });
  refusedByBody(413, -32000, { 'a byte more, in chunks': () => chunked(padded(1_048_577)) });
  passes({
    'exactly 1 MiB': () => message(padded(1_048_576)),
    'exactly 1 MiB in chunks': () => chunked(padded(1_048_576)),
  });
});

describe('SAI-22.9 the body is one JSON-RPC message', () => {
  refusedByBody(400, -32700, {
    'half of JSON': () => message('{"jsonrpc"'),
    'an empty body': () => message(''),
    'text behind JSON': () => message(`${JSON.stringify(callOf('count'))} x`),
  });
  refusedByBody(400, -32600, {
    'an empty batch': () => message([]),
    'a batch of one': () => message([callOf('count')]),
    'a text': () => message('"tools/call"'),
    null: () => message('null'),
    'no version': () => message({ id: 1, method: 'ping' }),
    'another version': () => message({ ...callOf('count'), jsonrpc: '1.0' }),
    'no method': () => message({ jsonrpc: '2.0', id: 1 }),
    'a number as method': () => message({ ...callOf('count'), method: 7 }),
    'an answer to nothing': () => message({ jsonrpc: '2.0', id: 1, result: {} }),
    'id null': () => message(callOf('count', {}, null)),
    'half a number as id': () => message(callOf('count', {}, 1.5)),
    'an object as id': () => message(callOf('count', {}, {})),
    'params in a row': () => message({ ...callOf('count'), params: ['count'] }),
  });
  passes({
    'a number as id': good,
    'a text as id': () => message(callOf('count', {}, 'a')),
    'zero as id': () => message(callOf('count', {}, 0)),
  });

  it('refuses bytes that are not UTF-8', async () => {
    const body = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'),
      Buffer.from([0xff]),
      Buffer.from('"}'),
    ]);
    const socket = await open(server.analystPort);
    socket.write(headBytes(header('Content-Length', String(body.length))));
    socket.write(body);
    expect(summary(await readReply(socket))).toEqual([400, -32700]);
    socket.destroy();
  });
});

describe('SAI-22.10 the protocol revision is 2025-11-25', () => {
  refusedByBody(400, -32600, {
    'no header after initialize': () => header('MCP-Protocol-Version'),
    'an older header': () => header('MCP-Protocol-Version', '2025-06-18'),
    'a later header': () => header('MCP-Protocol-Version', '2026-07-28'),
    'the header twice': () => header('MCP-Protocol-Version', '2025-11-25', '2025-11-25'),
    'an older initialize': () => initialize('2025-06-18'),
    'a later initialize': () => initialize('2026-07-28'),
    'an initialize without it': () => initialize(undefined),
    'another header at initialize': () =>
      withHeader(initialize('2025-11-25'), 'MCP-Protocol-Version', '2025-06-18'),
    'a request of the later era': () =>
      message({
        ...callOf('count'),
        params: { name: 'count', _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
      }),
    'a later era that names ours': () =>
      message({
        ...callOf('count'),
        params: { name: 'count', _meta: { 'io.modelcontextprotocol/protocolVersion': '2025-11-25' } },
      }),
  });
  passes({ 'the header after initialize': good });

  it.each([
    { name: 'without the header', parts: () => withHeader(initialize('2025-11-25'), 'MCP-Protocol-Version') },
    { name: 'with the header', parts: () => initialize('2025-11-25') },
  ])('lets initialize pass $name', async ({ parts }) => {
    expect((await send(parts())).status).toBe(200);
  });
});

describe('SAI-22.11 nothing is invoked as a task', () => {
  refusedByBody(400, -32600, {
    'a task': () => message({ ...callOf('count'), params: { name: 'count', task: { ttl: 1000 } } }),
    'a task that is null': () => message({ ...callOf('count'), params: { name: 'count', task: null } }),
  });
  passes({ 'a plain call': good });
});

describe('the checks', () => {
  it('SAI-22 come in one order: each repair uncovers the next', async () => {
    const repairs: ((parts: Parts) => Parts)[] = [
      (parts) => withHeader(parts, 'Host', host()),
      (parts) => withHeader(parts, 'Origin'),
      (parts) => withHeader(parts, 'Authorization', bearer),
      (parts) => ({ ...parts, target: `${server.analystPath}?x` }),
      (parts) => ({ ...parts, method: 'POST' }),
      (parts) => ({ ...parts, target: server.analystPath }),
      (parts) => withHeader(parts, 'Mcp-Session-Id'),
      (parts) => withHeader(parts, 'Content-Type', 'application/json'),
      (parts) => withHeader(parts, 'Accept', 'application/json, text/event-stream'),
      (parts) => ({ ...parts, body: '[]' }),
      (parts) => ({
        ...parts,
        body: JSON.stringify({ ...callOf('count'), params: { name: 'count', task: {} } }),
      }),
      (parts) => withHeader(parts, 'MCP-Protocol-Version', '2025-11-25'),
      (parts) => ({ ...parts, body: JSON.stringify(callOf('count')) }),
    ];
    let parts: Parts = {
      method: 'PUT',
      target: '/?x',
      headers: [
        ['Host', 'localhost'],
        ['Origin', 'null'],
        ['Mcp-Session-Id', 'x'],
        ['MCP-Protocol-Version', '2026-07-28'],
      ],
      body: 'x'.repeat(1_048_577),
    };
    const messages: string[] = [];
    for (const repair of repairs) {
      messages.push(briefly(await send(parts)));
      parts = repair(parts);
    }
    messages.push(briefly(await send(parts)));
    expect(messages).toEqual([
      `403 Host must be exactly ${host()}, once.`,
      '403 Requests with an Origin are refused.',
      '401 The Analyst token is missing or wrong.',
      '404 No project answers at this path.',
      '405 Only POST is served.',
      '400 A query string is refused.',
      '400 Mcp-Session-Id is refused: there are no sessions.',
      '400 Content-Type must be application/json, once.',
      '406 Accept must name application/json and text/event-stream.',
      '413 The body may have at most 1048576 bytes.',
      '400 Batches are refused.',
      '400 Only MCP revision 2025-11-25 is served here; every request after initialize names it.',
      '400 Task invocation is refused.',
      '200 ',
    ]);
  });

  it('SAI-22.2 end a request that waits for a continue without one', async () => {
    const waiting = header('Expect', '100-continue');
    const refused = await exchange(server.analystPort, headBytes(withHeader(waiting, 'Authorization')));
    expect(refused.status).toBe(401);

    const socket = await open(server.analystPort);
    socket.write(headBytes(waiting));
    expect((await readReply(socket)).status).toBe(100);
    socket.write(waiting.body);
    expect((await readReply(socket)).status).toBe(200);
    socket.destroy();
  });

  it('SAI-22.2 hold for CONNECT too', async () => {
    const reply = await exchange(
      server.analystPort,
      `CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: ${host()}\r\n\r\n`,
    );
    expect(reply.status).toBe(401);
  });

  it('SAI-22.9 never run a call that has no id', async () => {
    const before = server.probes.runs();
    const { id: _, ...notification } = callOf('count') as { id: number };
    const reply = await send(message(notification));
    expect([reply.status, reply.body]).toEqual([202, '']);
    expect(server.probes.runs()).toBe(before);
  });
});

/** Each case is refused from its head alone: no byte of the body is ever sent. */
function refusedByHead(status: number, cases: Cases): void {
  it.each(Object.entries(cases))(`answers ${status} to %s, before the body`, async (_, parts) => {
    const before = server.probes.runs();
    const reply = await exchange(server.analystPort, headBytes(parts()));
    expect(summary(reply)).toEqual([status, -32000]);
    expect(server.probes.runs()).toBe(before);
  });
}

function refusedByBody(status: number, code: number, cases: Cases): void {
  it.each(Object.entries(cases))(`answers ${status} and ${code} to %s`, async (_, parts) => {
    const before = server.probes.runs();
    const reply = await send(parts());
    expect(summary(reply)).toEqual([status, code]);
    expect(server.probes.runs()).toBe(before);
  });
}

/** Each case does the work that the refused ones must not do. */
function passes(cases: Cases): void {
  it.each(Object.entries(cases))('lets pass: %s', async (_, parts) => {
    const before = server.probes.runs();
    const reply = await send(parts());
    expect(reply.status).toBe(200);
    expect(server.probes.runs()).toBe(before + 1);
  });
}

function summary({ status, body }: Reply): unknown[] {
  const { error } = JSON.parse(body) as { error?: { code: number } };
  return [status, error?.code];
}

function briefly({ status, body }: Reply): string {
  const { error } = JSON.parse(body) as { error?: { message: string } };
  return `${status} ${error?.message ?? ''}`;
}

/** A call of `count` with white space up to a size in bytes. */
function padded(size: number): string {
  return JSON.stringify(callOf('count')).padEnd(size);
}

function chunked(body: string): Parts {
  const chunks = body.match(/[\s\S]{1,65536}/g) ?? [];
  const framed = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('');
  return { ...header('Transfer-Encoding', 'chunked'), body: `${framed}0\r\n\r\n` };
}
