import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { everything } from '../testing/outward.ts';
import { scriptedServer } from '../testing/connections.ts';
import { openWebPeers } from '../testing/peers.ts';
import { analystToken, apiToken, openTestServer, type TestServer } from '../testing/server.ts';

/** Names that mean something else in a path, or nothing at all. */
const ODD = ['..', 'a/b', 'a%2Fb', 'õ ?#', '\ud800'];

const uuid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string;

interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

async function ask(
  server: TestServer,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  token: string | undefined = apiToken,
): Promise<Answer> {
  const response = await fetch(`${server.origin}/api/mcp${path}`, {
    method,
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

const post = (server: TestServer, path: string, body: unknown = {}) => ask(server, 'POST', path, body);

describe('the operator API of MCP servers', () => {
  let web: Awaited<ReturnType<typeof openWebPeers>>;
  let server: TestServer;
  beforeAll(async () => {
    web = await openWebPeers();
    const mcpServers = {
      everything: everything(),
      web: { transport: 'streamable-http', url: `${web.origin}/peer` },
      odd: scriptedServer({
        sayNames: true,
        pages: [{ tools: ODD.map((name) => ({ name, inputSchema: { type: 'object' } })) }],
      }),
      off: { transport: 'stdio', command: 'node', disabled: true },
      broken: { transport: 'stdio', command: 'sh', args: ['-c', 'echo secret-of-the-peer >&2; exit 3'] },
    };
    server = await openTestServer({ mode: 'internal', yaml: JSON.stringify({ mcpServers }) });
  });
  afterAll(async () => {
    await server.close();
    await web.close();
  });

  it('SAI-40.1 starts, restarts and stops a server', async () => {
    const running = { status: 200, body: { serverName: 'web', status: 'running', toolCount: 1 } };
    expect(await post(server, '/servers/web/start')).toEqual(running);
    expect(await post(server, '/servers/web/start')).toEqual(running);
    expect(await post(server, '/servers/web/restart')).toEqual(running);
    expect(await post(server, '/servers/web/stop')).toEqual({
      status: 200,
      body: { serverName: 'web', status: 'stopped', toolCount: 0 },
    });
  });

  it('SAI-40.1 is the same for stdio', async () => {
    expect(await post(server, '/servers/everything/start')).toEqual({
      status: 200,
      body: { serverName: 'everything', status: 'running', toolCount: 14 },
    });
    expect((await post(server, '/servers/everything/stop')).status).toBe(200);
  });

  it('SAI-40.2 says what is unknown, what is in the way and what failed', async () => {
    const told = async (path: string) => {
      const { status, body } = await post(server, path);
      return [status, body['error']];
    };
    for (const action of ['start', 'stop', 'restart'])
      expect(await told(`/servers/nobody/${action}`)).toEqual([404, 'unknown_server']);
    expect(await told('/servers/constructor/start')).toEqual([404, 'unknown_server']);
    expect(await told('/servers/broken/stop')).toEqual([404, 'never_started']);
    expect(await told('/servers/broken/restart')).toEqual([404, 'never_started']);
    expect(await told('/servers/off/start')).toEqual([409, 'disabled']);
    expect(await told('/servers/web/pause')).toEqual([404, 'not_found']);
  });

  it('SAI-45.4 answers 500 to a start that found no tools, with the phase and without stderr', async () => {
    const { status, body } = await post(server, '/servers/broken/start');
    expect(status).toBe(500);
    expect(body).toEqual({
      error: 'peer_exited',
      message:
        'The server ended: with exit code 3. Here "broken" is now: error. The server may have acted all the same.',
      serverStatus: 'error',
      effects: 'possible',
      phase: 'initialize',
    });
  });

  it('SAI-40.3 takes bodies strictly', async () => {
    const told = async (path: string, body: unknown) => {
      const { status, body: answer } = await post(server, path, body);
      return [status, answer['error']];
    };
    expect(await told('/servers/web/start', { force: true })).toEqual([400, 'invalid_input']);
    expect(await told('/servers/web/start', [])).toEqual([400, 'invalid_input']);
    expect(await told('/servers/web/start', '{')).toEqual([400, 'invalid_json']);
    expect((await ask(server, 'POST', '/servers/web/start')).status).toBe(415);
    const call = { bindingId: 'b', catalogId: 'c', args: {} };
    expect(await told('/servers/web/tools/ping/call', { ...call, timeout: 1 })).toEqual([
      400,
      'invalid_input',
    ]);
    expect(await told('/servers/web/tools/ping/call', { ...call, args: [] })).toEqual([400, 'invalid_input']);
    expect(await told('/servers/web/tools/ping/call', { bindingId: 'b', catalogId: 'c' })).toEqual([
      400,
      'invalid_input',
    ]);
    expect(await told('/servers/web/start', `{"a":"${'x'.repeat(64 * 1024)}"}`)).toEqual([413, 'too_large']);
    const large = { ...call, args: { a: 'x'.repeat(1024 * 1024) } };
    expect(await told('/servers/web/tools/ping/call', large)).toEqual([413, 'too_large']);
  });

  it('SAI-40.4 calls a tool by the ids that it was seen under, and answers what the server sent', async () => {
    expect((await post(server, '/servers/everything/tools/echo/call', idle)).body['error']).toBe(
      'not_running',
    );
    await post(server, '/servers/everything/start');
    const seen = await ask(server, 'GET', '/servers/everything/tools');
    expect(seen.body).toMatchObject({ serverName: 'everything', bindingId: uuid, catalogId: uuid });
    expect((seen.body['tools'] as object[])[0]).toMatchObject({
      name: 'echo',
      sent: { name: 'echo', inputSchema: { type: 'object', required: ['message'] } },
    });
    const { bindingId, catalogId } = seen.body as Record<'bindingId' | 'catalogId', string>;
    const call = (tool: string, args: object, ids: object = {}) =>
      post(server, `/servers/everything/tools/${tool}/call`, { bindingId, catalogId, ...ids, args });
    expect(await call('echo', { message: 'hi' })).toEqual({
      status: 200,
      body: { content: [{ type: 'text', text: 'Echo: hi' }] },
    });
    expect((await call('get-tiny-image', {})).body['content']).toEqual([
      { type: 'text', text: expect.any(String) as string },
      { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) as string },
      { type: 'text', text: expect.any(String) as string },
    ]);
    const refused = async (...of: Parameters<typeof call>) => {
      const { status, body } = await call(...of);
      return [status, body['error'], body['effects']];
    };
    expect(await refused('nope', {})).toEqual([404, 'unknown_tool', 'none']);
    expect(await refused('echo', { message: 5 })).toEqual([400, 'arguments_invalid', 'none']);
    // Some libraries drop this name without a word: the server would be sent something else than was meant.
    const hidden = JSON.parse('{"__proto__":{},"message":"x"}') as object;
    expect(await refused('echo', hidden)).toEqual([400, 'invalid_input', undefined]);
    expect(await refused('echo', { message: 'x' }, { bindingId: catalogId })).toEqual([
      409,
      'binding_stale',
      'none',
    ]);
    expect(await refused('echo', { message: 'x' }, { catalogId: bindingId })).toEqual([
      409,
      'catalog_stale',
      'none',
    ]);
  });

  it('SAI-40.4 calls a tool whatever its name is', async () => {
    await post(server, '/servers/odd/start');
    const { bindingId, catalogId } = (await ask(server, 'GET', '/servers/odd/tools')).body;
    const ids = { bindingId, catalogId, args: {} };
    const says = (name: string) => ({ status: 200, body: { content: [{ type: 'text', text: name }] } });
    for (const toolName of ODD)
      expect(await post(server, '/servers/odd/call', { ...ids, toolName })).toMatchObject(says(toolName));
    // Where the path can carry a name, it may.
    for (const name of ODD.slice(1, -1))
      expect(await post(server, `/servers/odd/tools/${encodeURIComponent(name)}/call`, ids)).toMatchObject(
        says(name),
      );
    await post(server, '/servers/odd/stop');
  });

  it('SAI-40.5 shows what is observed and counted, and nothing of a definition', async () => {
    await post(server, '/servers/web/start');
    const { body } = await ask(server, 'GET', '/tools');
    const servers = body['servers'] as Record<string, unknown>[];
    const named = (name: string) => servers.find(({ serverName }) => serverName === name);
    expect(named('everything')).toMatchObject({
      source: 'yaml',
      transport: 'stdio',
      status: 'running',
      toolCount: 14,
      processId: expect.any(Number) as number,
      stdout: 'not_captured',
      stderr: 'not_captured',
      stats: { total: 2, succeeded: 2, failed: 0, lastInvokedAt: expect.any(String) as string },
    });
    const tools = named('everything')?.['tools'] as { name: string }[];
    expect(tools.find(({ name }) => name === 'echo')).toEqual({
      name: 'echo',
      stats: { total: 1, succeeded: 1, failed: 0, lastInvokedAt: expect.any(String) as string },
    });
    expect(named('web')).toMatchObject({ transport: 'streamable-http', status: 'running', processId: null });
    expect(named('off')).toMatchObject({ disabled: true, status: 'stopped', toolCount: 0, tools: [] });
    expect(JSON.stringify(body)).not.toMatch(/secret-of-the-peer|command|args|127\.0\.0\.1/);
  });

  it('SAI-19.1 SAI-40.6 answers 401 to the Analyst token and to nobody', async () => {
    for (const token of [analystToken, '']) {
      expect((await ask(server, 'GET', '/tools', undefined, token)).status).toBe(401);
      expect((await ask(server, 'POST', '/servers/web/stop', {}, token)).status).toBe(401);
    }
  });
});

/** A call of a server that runs under no ids. */
const idle = { bindingId: 'b', catalogId: 'c', args: {} };

it('SAI-5.5 without a token the lifecycle and calls are closed, and observations are open', async () => {
  const server = await openTestServer({ guarded: false, mode: 'internal' });
  for (const action of ['start', 'stop', 'restart'])
    expect((await ask(server, 'POST', `/servers/x/${action}`, {}, '')).status).toBe(401);
  expect((await ask(server, 'POST', '/servers/x/tools/t/call', idle, '')).status).toBe(401);
  expect((await ask(server, 'GET', '/servers/x/tools', undefined, '')).status).toBe(401);
  expect(await ask(server, 'GET', '/tools', undefined, '')).toEqual({ status: 200, body: { servers: [] } });
  await server.close();
});
