import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rpc } from '../testing/rpc.ts';
import { testSite } from '../testing/site.ts';

let site: Awaited<ReturnType<typeof testSite>>;
let endpoint: URL;
beforeAll(async () => {
  site = await testSite();
  endpoint = new URL('/api/mcp/discovery', site.origin);
});
afterAll(() => site.close());

const info = { name: 'stranger', version: '1.0.0' };
const five = ['harbour_search', 'harbour_get', 'harbour_page_snapshot', 'harbour_query', 'harbour_stats'];
const nearTallinn = ['Tallinn', 'Muuga', 'Helsingfors (Helsinki)'];

async function old(): Promise<ModernClient> {
  const client = new OldClient(info);
  await client.connect(new OldTransport(endpoint));
  return client as never;
}

async function modern(mode?: 'auto' | { pin: string }): Promise<ModernClient> {
  const client = new ModernClient(info, mode && { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(endpoint));
  return client;
}

describe('MER-7.1 MER-33.10 a client that knows the address and nothing else', () => {
  it.each<[string, () => Promise<ModernClient>]>([
    ['SDK v1', old],
    ['SDK v2', () => modern()],
    ['SDK v2, negotiating', () => modern('auto')],
    ['SDK v2, 2026-07-28 only', () => modern({ pin: '2026-07-28' })],
  ])('lists five tools and gets real harbours near Tallinn: %s', async (_client, connect) => {
    const client = await connect();
    try {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(five);
      const { structuredContent } = await client.callTool({
        name: 'harbour_search',
        arguments: { near: 'Tallinn', withinKm: 100 },
      });
      const { harbours } = structuredContent as { harbours: { name: string }[] };
      expect(harbours.map(({ name }) => name)).toEqual(nearTallinn);
      expect(client.getServerVersion()).toMatchObject({
        name: 'mervare-harbours',
        title: 'Public harbour facts',
      });
      expect(client.getServerVersion()?.version).toMatch(/^0\.1\.0\+[0-9a-f]{16}$/);
    } finally {
      await client.close();
    }
  });

  it('MER-7.2 may be the Inspector on a command line', async () => {
    const inspector = fileURLToPath(new URL('../../../../node_modules/.bin/mcp-inspector', import.meta.url));
    const ask = async (...args: string[]) => {
      const { stdout } = await promisify(execFile)(inspector, [
        '--cli',
        endpoint.href,
        '--transport',
        'http',
        ...args,
      ]);
      return stdout;
    };
    const listed = await ask('--method', 'tools/list', '--format', 'json');
    expect(five.filter((name) => !listed.includes(`"${name}"`))).toEqual([]);
    const found = await ask(
      '--method',
      'tools/call',
      '--tool-name',
      'harbour_search',
      '--tool-args-json',
      '{"near":"Tallinn"}',
      '--format',
      'json',
    );
    expect(nearTallinn.filter((name) => !found.includes(name))).toEqual([]);
  });

  it.each(five)('gets an answer to the example of %s that fits its own schema', async (name) => {
    const { descriptor, example } = await import('../mcp/families.ts').then(({ harbour }) => {
      const tool = harbour.tools.find((one) => one.name === name);
      if (!tool) throw new Error(name);
      return tool;
    });
    expect(descriptor.name).toBe(name);
    const client = await modern('auto');
    try {
      // The client checks the answer against the listed output schema.
      await client.listTools();
      const answer = await client.callTool({ name, arguments: example as Record<string, unknown> });
      expect([answer.isError ?? false, typeof answer.structuredContent]).toEqual([false, 'object']);
    } finally {
      await client.close();
    }
  });
});

/** One legacy request, as raw as a stranger may send it. */
async function post(body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(endpoint, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const call = (name: string, input: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input },
});

describe('MER-14.1 MER-10.1 the anonymous endpoint', () => {
  it.each([
    'Bearer mv_garbage-credential',
    'Basic dXNlcjpnYXJiYWdlLWNyZWRlbnRpYWw=',
    'garbage-credential',
    'Bearer ',
  ])('takes no notice of the credential %j', async (authorization) => {
    const before = site.logged.length;
    const response = await post(call('harbour_stats', {}), { authorization });
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([200, null]);
    expect(await response.json()).toMatchObject({ result: { structuredContent: { harbours: 1634 } } });
    expect(site.logged.slice(before).join('')).not.toMatch(/garbage|Basic|Bearer/);
  });

  it('MER-14.2 never answers 401 or 403, whatever is sent', async () => {
    const answers = await Promise.all([
      post('{'),
      post([]),
      post({ jsonrpc: '2.0', id: 1, method: 'nothing' }),
      post(call('survey_list', {})),
      post(call('harbour_get', { slug: 'tallinn-eetll' }), { origin: 'https://evil.example' }),
      post('x'.repeat(2 * 1024 * 1024)),
      post(call('harbour_get', {}), { 'content-type': 'text/plain' }),
      fetch(endpoint),
      fetch(endpoint, { method: 'DELETE' }),
      fetch(endpoint, { method: 'OPTIONS' }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 200, 200, 200, 413, 415, 405, 405, 204]);
    expect(answers.filter(({ headers }) => headers.has('www-authenticate'))).toEqual([]);
  });

  it('MER-14.3 has no protected-resource document, and no other one names it', async () => {
    const at = (path: string) => fetch(new URL(`/.well-known/oauth-protected-resource${path}`, site.origin));
    expect((await at('/api/mcp/discovery')).status).toBe(404);
    const documents = await Promise.all(['', '/api/mcp', '/api/mcp/builder'].map(at));
    for (const document of documents) expect(await document.text()).not.toContain('/api/mcp/discovery');
  });

  it('MER-4.2 answers a tool of another family like one that does not exist', async () => {
    const said = async (name: string) => (await (await post(call(name, {}))).text()).replaceAll(name, 'NAME');
    expect(await said('survey_list')).toBe(await said('no_such_tool'));
  });

  it('MER-5.1 tells every stranger one version, and another one when the list is another', async () => {
    const versionAt = async (origin: string) => {
      const response = await rpc(`${origin}/api/mcp/discovery`, undefined, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: info,
      });
      const { result } = (await response.json()) as { result: { serverInfo: { version: string } } };
      return result.serverInfo.version;
    };
    const { servers } = await import('./servers.ts');
    const same = await testSite();
    const narrowed = await testSite(
      servers.map((server) => ({
        ...server,
        families: server.families.map((family) => ({ ...family, tools: family.tools.slice(1) as never })),
      })),
    );
    try {
      const version = await versionAt(site.origin);
      expect(await versionAt(same.origin)).toBe(version);
      expect(await versionAt(narrowed.origin)).not.toBe(version);
    } finally {
      await same.close();
      await narrowed.close();
    }
  });

  it('answers a bad argument by a result that says what is wrong, and logs no argument', async () => {
    const response = await post(call('harbour_search', { near: { lat: 100, lon: 0 }, secretWord: 'sesame' }));
    expect(await response.json()).toMatchObject({
      result: {
        isError: true,
        content: [{ text: expect.stringContaining('Unrecognized key: "secretWord"') as string }],
      },
    });
    expect(site.logged.join('')).not.toContain('sesame');
  });

  it('refuses an unknown Host with 421', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((resolve, reject) => {
      request(endpoint, { method: 'POST', headers: { host: 'rebound.example' } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .on('error', reject)
        .end();
    });
    expect(status).toBe(421);
  });
});

describe('a page of another origin', () => {
  const origin = 'https://inspector.example';
  it('B-07 may read the answer and the headers that it needs', async () => {
    const { headers } = await post(call('harbour_stats', {}), { origin });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-expose-headers')).toBe(
      'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
    );
  });
});

describe('MER-14.4 the database role of anonymous callers', () => {
  it.each([
    'select * from harbour',
    'select password from store_role',
    'insert into public_harbour (locode) values (null)',
    'create table mine (a int)',
    'create temporary table mine (a int)',
    'set role postgres',
  ])('may not: %s', async (statement) => {
    await expect(sql.raw(statement).execute(site.register.anonymous)).rejects.toThrow(
      /permission denied|read-only/,
    );
  });
});
