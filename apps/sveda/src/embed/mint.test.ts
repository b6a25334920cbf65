import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { testNodes } from '../testing/nodes.ts';
import { testRows } from '../testing/rows.ts';
import { HOST_KEY, post, testSveda } from '../testing/sveda.ts';

const key = { 'x-sveda-host-key': HOST_KEY };
const pair = { host_mcp_url: 'https://app.example.com/mcp', host_mcp_token: 'host-mcp-secret' };
let server: Awaited<ReturnType<typeof testSveda>>;
let open: Awaited<ReturnType<typeof testSveda>>;

beforeAll(async () => {
  server = await testSveda('- text: Hello.', { yaml: 'policies: { readers: { mcp: { allow: ["*"] } } }' });
  open = await testSveda('- text: Hello.', { hostKey: null });
});
afterAll(async () => {
  await server.close();
  await open.close();
});

const mint = (body: unknown, headers: Record<string, string> = key) =>
  post(server.origin, '/sveda/embed/token', body, headers);
/** Mints without a key under this Host, which fetch does not let choose. */
async function mintAs(host: string): Promise<number | undefined> {
  const headers = { host, 'content-type': 'application/json' };
  const asked = request(new URL('/sveda/embed/token', open.origin), { method: 'POST', headers }).end('{}');
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

const answer = async (response: Response) =>
  [response.status, (await response.json()) as Record<string, unknown>] as const;

describe('minting', () => {
  it('SVE-1.2 answers token, visitor and lifetime, and makes a UUID for a visitor without id', async () => {
    const [status, body] = await answer(await mint({ visitor_id: 'visitor-123', ...pair }));
    expect([status, body.visitor_id, body.expires_in]).toEqual([200, 'visitor-123', 3600]);
    expect(body.token).toMatch(/^sveda_embed_[\w.-]+$/);
    const [, made] = await answer(await mint({}));
    expect(made.visitor_id).toMatch(/^[\da-f-]{36}$/);
  });

  it.each([
    [
      'half a pair',
      { host_mcp_url: pair.host_mcp_url },
      'host_mcp_url and host_mcp_token are required together.',
    ],
    ['the other half', { host_mcp_token: 'x' }, 'host_mcp_url and host_mcp_token are required together.'],
    ['an empty token', { ...pair, host_mcp_token: '' }, 'host_mcp_token is empty.'],
    [
      'another scheme',
      { ...pair, host_mcp_url: 'ftp://app.example.com' },
      'host_mcp_url must be an http or https URL.',
    ],
    [
      'white space',
      { ...pair, host_mcp_url: 'https://app.example.com/a b' },
      'host_mcp_url contains white space.',
    ],
    [
      '2049 characters',
      { ...pair, host_mcp_url: `https://a.example/${'x'.repeat(2031)}` },
      'host_mcp_url has more than 2048 characters.',
    ],
    ['a long visitor id', { visitor_id: 'x'.repeat(65) }, 'visitor_id has more than 64 characters.'],
    ['an unknown policy', { policy: 'nobody' }, 'There is no policy named nobody.'],
  ])('SVE-1.3 refuses %s with 422 and its sentence', async (_, body, message) => {
    expect(await answer(await mint(body))).toMatchObject([422, { error: 'invalid_request', message }]);
  });

  it('SVE-1.3 refuses a body with the character U+0000, and takes one that only writes its escape as text', async () => {
    const refused = await answer(await mint({ visitor_id: 'a\0b' }));
    expect(refused).toMatchObject([422, { error: 'invalid_request' }]);
    expect((await mint({ visitor_id: String.raw`a\u0000b` })).status).toBe(200);
    const half = await post(server.origin, '/sveda/embed/token', { visitor_id: 'a\ud83db' }, key);
    expect(await answer(half)).toMatchObject([422, { error: 'invalid_request' }]);
    expect((await mint({ visitor_id: 'whole 👩‍🚀' })).status).toBe(200);
  });

  it('SVE-1.3 takes the neighbours of what it refuses', async () => {
    expect((await mint({ ...pair, host_mcp_url: `https://a.example/${'x'.repeat(2030)}` })).status).toBe(200);
    expect((await mint({ visitor_id: 'x'.repeat(64), policy: 'readers' })).status).toBe(200);
  });

  it('SVE-1.4 points at every fault of a body', async () => {
    const [status, body] = await answer(
      await mint({ visitor_id: 7, ttl: 1, surprise: true, grants: { mcp: { allow: 'x' } } }),
    );
    expect(status).toBe(422);
    expect((body.faults as { pointer: string }[]).map(({ pointer }) => pointer).toSorted()).toEqual([
      '/grants/mcp/allow',
      '/surprise',
      '/ttl',
      '/visitor_id',
    ]);
    const [, { faults }] = await answer(await mint({ policy: 'nobody' }));
    expect(faults).toEqual([{ pointer: '/policy', message: 'There is no policy named nobody.' }]);
  });

  it('SVE-3.4 gives a token an hour, or what is asked for, but never less than a minute', async () => {
    const expiry = async (ttl?: number) => (await answer(await mint({ ttl })))[1].expires_in;
    expect([await expiry(), await expiry(60), await expiry(7_200)]).toEqual([3600, 60, 7200]);
    expect((await mint({ ttl: 59 })).status).toBe(422);
  });

  it('SVE-1.3 refuses grants that no header could carry, and takes those that just fit', async () => {
    const mint = (patterns: number) =>
      post(server.origin, '/sveda/embed/token', { grants: { client: { allow: list(patterns) } } }, key);
    const list = (patterns: number) => Array.from({ length: patterns }, () => 'x'.repeat(100));
    expect(await answer(await mint(52))).toEqual([
      422,
      {
        error: 'invalid_request',
        message: 'The grants are too large for a token.',
        faults: [{ pointer: '/grants', message: 'The grants are too large for a token.' }],
      },
    ]);
    const { token } = (await (await mint(49)).json()) as { token: string };
    const headers = { 'x-sveda-embed-token': token };
    expect((await fetch(new URL('/sveda/chats', server.origin), { headers })).status).toBe(200);
  });

  it('SVE-4.1 refuses a wrong or missing key with a body that says so', async () => {
    expect(await answer(await mint({}, {}))).toMatchObject([401, { error: 'unauthorized' }]);
    for (const wrong of ['host-key-of-the-test', `${HOST_KEY}x`])
      expect(await answer(await mint({}, { 'x-sveda-host-key': wrong }))).toMatchObject([
        401,
        { error: 'unauthorized' },
      ]);
  });

  it('SVE-2.1 without a host key mints only for this machine, and never takes a pair', async () => {
    const bare = (body: unknown, headers: Record<string, string> = {}) =>
      post(open.origin, '/sveda/embed/token', body, headers);
    expect((await bare({ visitor_id: 'v' })).status).toBe(200);
    const fromAfar = {
      origin: 'http://evil.example',
      forwarded: 'for=10.0.0.1',
      via: '1.1 proxy',
      'x-real-ip': '10.0.0.1',
      'x-forwarded-for': '10.0.0.1',
      'x-forwarded-host': 'localhost',
      'x-forwarded-proto': 'https',
    };
    for (const [name, value] of Object.entries(fromAfar))
      expect([name, (await bare({}, { [name]: value })).status]).toEqual([name, 401]);
    for (const [host, status] of [
      ['localhost:8787', 200],
      ['evil.example', 401],
      ['127.0.0.1.evil.example', 401],
    ] as const)
      expect([host, await mintAs(host)]).toEqual([host, status]);
    expect(await answer(await bare(pair))).toMatchObject([
      422,
      { message: expect.stringContaining('SVEDA_EMBED_HOST_API_KEY') as string },
    ]);
  });

  it('SVE-2.2 keeps credentials sealed, one row a token, and no word of them in the log', async () => {
    await mint({ visitor_id: 'sealed', ...pair });
    await mint({ visitor_id: 'sealed', ...pair });
    const rows = await testRows(
      server.database.url,
      "select host_mcp from sveda.embed_token where visitor_id = 'sealed'",
    );
    expect(rows).toHaveLength(2);
    for (const { host_mcp: sealed } of rows) expect(String(sealed)).not.toContain('host-mcp-secret');
    expect(server.logged.join('')).not.toContain('host-mcp-secret');
    expect(server.logged.join('')).not.toContain(HOST_KEY);
  });

  it('SVE-2.4 forgets credentials with the lifetime of their token, also when nobody comes any more', async () => {
    const nodes = await testNodes('models: [{ provider: demo }]', 1, { leaseMs: 300 });
    try {
      const kept = () => testRows(nodes.database.url, 'select visitor_id from sveda.embed_token');
      await nodes.mint({ visitor_id: 'gone', ...pair });
      await nodes.mint({ visitor_id: 'here', ...pair });
      await testRows(
        nodes.database.url,
        "update sveda.embed_token set expires_at = now() - interval '1 second' where visitor_id = 'gone'",
      );
      await vi.waitFor(async () => expect(await kept()).toEqual([{ visitor_id: 'here' }]), 30_000);
    } finally {
      await nodes.close();
    }
  });

  it('SVE-4.3 refuses with a JSON body everywhere', async () => {
    const send = (path: string, init: RequestInit) => fetch(new URL(path, server.origin), init);
    const json = { 'content-type': 'application/json', ...key };
    const refusals = await Promise.all([
      send('/sveda/embed/token', { method: 'POST', headers: key, body: 'visitor_id=1' }),
      send('/sveda/embed/token', { method: 'POST', headers: json, body: '{' }),
      send('/sveda/embed/token', { method: 'POST', headers: json, body: '[]' }),
      send('/sveda/embed/token', { method: 'POST', headers: json, body: `"${'x'.repeat(70_000)}"` }),
      send('/sveda/embed/token', { method: 'GET' }),
      send('/sveda/embed', { method: 'POST', headers: json, body: '{}' }),
      send('/sveda/chats', {}),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([415, 400, 422, 413, 405, 404, 401]);
    for (const refusal of refusals)
      expect(await refusal.json()).toMatchObject({ error: expect.any(String), message: expect.any(String) });
  });

  it('SVE-3.1 takes a token until it is revoked, and no token that was changed', async () => {
    const token = await server.mint({ visitor_id: 'v', ...pair });
    const chats = (headers: Record<string, string>, query = '') =>
      fetch(new URL(`/sveda/chats${query}`, server.origin), { headers });
    expect((await chats({ 'x-sveda-embed-token': token })).status).toBe(200);
    const changed = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`;
    expect((await chats({ 'x-sveda-embed-token': changed })).status).toBe(401);
    expect((await chats({}, `?token=${token}`)).status).toBe(401);
    expect((await post(server.origin, '/sveda/embed/token/revoke', { token }, key)).status).toBe(200);
    expect((await chats({ 'x-sveda-embed-token': token })).status).toBe(401);
  });

  it('SVE-4.2 limits mints by key and address, and says when to come back', async () => {
    const limited = await testSveda('- text: Hello.', { limits: { mintsPerMinute: 2 } });
    try {
      const once = () => post(limited.origin, '/sveda/embed/token', {}, key);
      expect([(await once()).status, (await once()).status]).toEqual([200, 200]);
      const refused = await once();
      expect(await answer(refused)).toMatchObject([429, { error: 'too_many' }]);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await limited.close();
    }
  });

  it('SVE-4.2 counts all guesses of the host key together, apart from the mints of the host', async () => {
    const limited = await testSveda('- text: Hello.', { limits: { mintsPerMinute: 2 } });
    try {
      const guess = async (key: string) =>
        (await post(limited.origin, '/sveda/embed/token', {}, { 'x-sveda-host-key': key })).status;
      expect([await guess('one'), await guess('two'), await guess('three')]).toEqual([401, 401, 429]);
      expect(await limited.mint()).toMatch(/^sveda_embed_/);
    } finally {
      await limited.close();
    }
  });
});
