import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hashOf } from '../people/secret.ts';
import { plantPerson, plantToken } from '../testing/people.ts';
import { called, rpc } from '../testing/rpc.ts';
import { testSite } from '../testing/site.ts';
import { addressOf } from './registry.ts';
import { builderOnly, discovery, servers, wide } from './servers.ts';
import type { Scope } from './vocabulary.ts';

const builders = randomBytes(32).toString('base64url');
const every: Scope[] = ['author', 'publisher', 'analyst', 'reader', 'harbour', 'builder', 'discovery'];
let site: Awaited<ReturnType<typeof testSite>>;
let admin: string;
let at: { wide: string; builder: string; open: string };
beforeAll(async () => {
  site = await testSite(servers, { BUILDER_AGENT_TOKENS: `ci:builder:${builders}` });
  const [open, own] = [addressOf(discovery, site.origin), addressOf(builderOnly, site.origin)];
  at = { wide: addressOf(wide, site.origin), builder: own, open };
  admin = await plantPerson(site.register.db, {
    email: 'admin@mervare.example',
    superAdmin: true,
    builder: true,
  });
});
afterAll(() => site.close());

/** What is sent to an endpoint, however wrong it is in every other way. */
const requests: readonly [says: string, init: RequestInit][] = [
  [
    'initialize',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"jsonrpc":"2.0"}' },
  ],
  ['a wrong Content-Type', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'x' }],
  ['bad JSON', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
  // On a connection of its own: the server gives up one whose body does not come to an end in time.
  [
    'a body that is too large',
    { method: 'POST', headers: { connection: 'close' }, body: 'x'.repeat(1024 * 1024 + 1) },
  ],
  ['GET', { method: 'GET' }],
  ['HEAD', { method: 'HEAD' }],
  ['DELETE', { method: 'DELETE' }],
  ['PUT', { method: 'PUT', body: '{}' }],
];

const challenges = {
  wide: 'scope="author publisher analyst reader harbour builder discovery control funding"',
  builder: 'scope="builder"',
};
const documentOf = (door: keyof typeof challenges) =>
  `${site.origin}/.well-known/oauth-protected-resource${door === 'wide' ? '/api/mcp' : '/api/mcp/builder'}`;

describe('B-06 MER-13.1 without a credential', () => {
  for (const door of ['wide', 'builder'] as const)
    for (const [says, init] of requests)
      it(`${door}: ${says} is challenged before anything else`, async () => {
        const response = await fetch(at[door], init);
        expect(response.status).toBe(401);
        expect(response.headers.get('www-authenticate')).toBe(
          `Bearer resource_metadata="${documentOf(door)}", ${challenges[door]}`,
        );
        expect(response.headers.get('access-control-allow-origin')).toBe('*');
        expect(response.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
      });

  it('is challenged before a body that never comes', async () => {
    const outgoing = request(at.wide, { method: 'POST', headers: { 'transfer-encoding': 'chunked' } });
    outgoing.write('{');
    const status = await new Promise((resolve, reject) => {
      outgoing.once('response', ({ statusCode }) => resolve(statusCode)).once('error', reject);
    });
    expect(status).toBe(401);
    outgoing.destroy();
  });
});

describe('B-06 MER-13.2 with a credential that does not count', () => {
  const refused = async (door: keyof typeof challenges, headers: Record<string, string>, query = '') => {
    for (const [, init] of requests) {
      const response = await fetch(`${at[door]}${query}`, {
        ...init,
        headers: { ...(init.headers as Record<string, string> | undefined), ...headers },
      });
      expect(response.status).toBe(401);
      const said = response.headers.get('www-authenticate') ?? '';
      expect(said).toMatch(/^Bearer error="invalid_token", error_description="[^"]+", resource_metadata="/);
      expect(said).toContain(`resource_metadata="${documentOf(door)}", ${challenges[door]}`);
    }
  };
  const connection = (rest: { expiresAt?: Date; revokedAt?: Date; audience?: string } = {}) =>
    plantToken(site.register.db, { person: admin, scopes: every, audience: at.wide, ...rest });
  const bearer = async (token: Promise<string> | string) => ({ authorization: `Bearer ${await token}` });

  it('says so of garbage', async () => {
    for (const authorization of [
      'Bearer garbage',
      'Bearer',
      'Basic YTpi',
      `Bearer ${'x'.repeat(600)}`,
      'Bearer a b',
    ])
      await refused('wide', { authorization });
  });
  it('says so of an expired token', async () => {
    await refused('wide', await bearer(connection({ expiresAt: new Date(Date.now() - 1) })));
  });
  it('says so of a revoked token', async () => {
    await refused('wide', await bearer(connection({ revokedAt: new Date() })));
  });
  it('MER-12.1 says so of a token of the other endpoint, in both directions', async () => {
    await refused('builder', await bearer(connection()));
    await refused('wide', await bearer(connection({ audience: at.builder })));
  });
  it('says so of a token of a disabled person, from the next call on', async () => {
    const { db } = site.register;
    const person = await plantPerson(db, { email: 'gone@mervare.example' });
    const token = await plantToken(db, { person, scopes: ['discovery'], audience: at.wide });
    expect((await rpc(at.wide, token, 'tools/list')).status).toBe(200);
    await db.updateTable('person').set({ disabled_at: new Date() }).where('id', '=', person).execute();
    await refused('wide', await bearer(token));
  });
  it('MER-10.2 takes no credential in the query, not even beside a good one', async () => {
    const token = await connection();
    await refused('wide', {}, `?access_token=${token}`);
    await refused('wide', await bearer(token), `?access_token=${token}`);
  });
  it('MER-10.3 takes no second Authorization header, in either order', async () => {
    const token = await connection();
    const good = `Bearer ${token}`;
    for (const pair of [
      [good, 'Bearer other'],
      ['Bearer other', good],
      [good, good],
    ])
      expect(await withHeaders(pair.flatMap((value) => ['Authorization', value]))).toBe(401);
    expect(await withHeaders(['Authorization', good])).toBe(406);
  });
  it('logs no token', () => {
    expect(site.logged.length).toBeGreaterThan(20);
    expect(site.logged.join('')).not.toMatch(/Bearer|access_token|garbage/);
  });
});

/** The status of a request with these raw headers. */
async function withHeaders(raw: readonly string[]): Promise<number | undefined> {
  const { host } = new URL(at.wide);
  const headers = ['Host', host, 'Content-Type', 'application/json', ...raw];
  const outgoing = request(at.wide, { method: 'POST', headers, setHost: false });
  const answer = new Promise<number | undefined>((resolve, reject) => {
    outgoing.once('error', reject).once('response', (incoming) => {
      void text(incoming).then(() => resolve(incoming.statusCode));
    });
  });
  outgoing.end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
  return answer;
}

describe('MER-13.3 a tool beyond the connection', () => {
  it('B-06 is a step-up for a person who may hold the scope: what there is, and what is missing', async () => {
    const token = await plantToken(site.register.db, {
      person: admin,
      scopes: ['reader', 'discovery'],
      audience: at.wide,
    });
    const { status, challenge, text: said } = await called(at.wide, token, 'logbook_stats');
    expect([status, challenge]).toEqual([
      403,
      `Bearer error="insufficient_scope", resource_metadata="${documentOf('wide')}", scope="reader harbour discovery"`,
    ]);
    expect(JSON.parse(said)).toMatchObject({ jsonrpc: '2.0', id: 1, error: { code: -32000 } });
  });

  it('MER-4.4 is no tool for everybody else: but for the name, the bytes are those of a name that nobody gave', async () => {
    const { db } = site.register;
    const member = await plantPerson(db, { email: 'member@mervare.example' });
    const token = await plantToken(db, { person: member, scopes: every, audience: at.wide });
    for (const presented of [token, builders]) {
      const answers = await Promise.all(
        ['logbook_stats', 'logbook_spats', 'builder_queue_task_now'].map(async (name) => {
          const response = await rpc(at.wide, presented, 'tools/call', { name, arguments: {} });
          const headers = [...response.headers].filter(
            ([header]) => !/^(date|x-request-id|content-length)$/.test(header),
          );
          return JSON.stringify([response.status, headers, (await response.text()).replaceAll(name, 'NAME')]);
        }),
      );
      expect(new Set(answers).size).toBe(1);
    }
  });
});

describe('MER-11.3 who was let in a moment ago', () => {
  const token = (scopes: Scope[]) =>
    plantToken(site.register.db, { person: admin, scopes, audience: at.wide });
  const revoke = (presented: string, at: Date | null) =>
    site.register.db
      .updateTable('oauth_access_token')
      .set({ revoked_at: at })
      .where('token_hash', '=', hashOf(presented))
      .execute();
  const read = { name: 'harbour_get', arguments: { slug: 'tallinn-eetll' } };
  const write = {
    name: 'agent_run_record',
    arguments: {
      goal: 'Check the tide tables',
      outcome: 'succeeded',
      summary: 'All 40 agree.',
      startedAt: '2026-05-04T08:00:00Z',
      endedAt: '2026-05-04T08:20:00Z',
    },
  };
  const records = async () => {
    const rows = await site.register.db.selectFrom('audit').select('action').execute();
    return rows.filter(({ action }) => action === write.name).length;
  };

  it('is refused with the next call when the token is revoked, whatever is sent, and nothing is done', async () => {
    const presented = await token([...every, 'control']);
    const calls = [read, write].map((params): RequestInit => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const accept = 'application/json, text/event-stream';
      return { method: 'POST', headers: { 'content-type': 'application/json', accept }, body };
    });
    expect((await called(at.wide, presented, write.name, write.arguments)).status).toBe(200);
    const before = await records();
    for (const init of [...calls, ...requests.map(([, one]) => one)]) {
      await revoke(presented, null);
      expect((await called(at.wide, presented, read.name, read.arguments)).status).toBe(200);
      await revoke(presented, new Date());
      const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${presented}` };
      const response = await fetch(at.wide, { ...init, headers });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.text()).not.toContain('jsonrpc');
    }
    expect(before).toBe(1);
    expect(await records()).toBe(before);
  });

  it('is refused before its body has come, and is never told to send it', async () => {
    const presented = await token(every);
    for (const waiting of [{}, { expect: '100-continue' }]) {
      await revoke(presented, null);
      expect((await called(at.wide, presented, read.name, read.arguments)).status).toBe(200);
      await revoke(presented, new Date());
      const type = { 'content-type': 'application/json', 'content-length': 2 };
      const headers = { authorization: `Bearer ${presented}`, ...type, ...waiting };
      const outgoing = request(at.wide, { method: 'POST', headers });
      const told: string[] = [];
      outgoing.once('continue', () => told.push('continue'));
      outgoing.flushHeaders();
      const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
      outgoing.destroy();
      expect([told, answer.statusCode]).toEqual([[], 401]);
    }
  });

  it('has with the next call the rights of that moment', async () => {
    const { db } = site.register;
    const person = await plantPerson(db, { email: 'eve@mervare.example', superAdmin: true });
    const presented = await plantToken(db, { person, scopes: ['reader', 'discovery'], audience: at.wide });
    const lists = async () => (await called(at.wide, presented, 'survey_list')).text.includes('"result"');
    const admins = (is_super_admin: boolean) =>
      db.updateTable('person').set({ is_super_admin }).where('id', '=', person).execute();
    const found: boolean[] = [];
    for (const right of [true, true, false, false, true]) {
      await admins(right);
      found.push(await lists());
    }
    expect(found).toEqual([true, true, false, false, true]);
  });
});

describe('B-07 browser clients of the protected endpoints', () => {
  const asked = 'authorization,content-type,mcp-protocol-version,mcp-session-id,last-event-id';

  for (const door of ['wide', 'builder', 'open'] as const)
    it(`${door}: a preflight needs no credential and allows the headers of MCP`, async () => {
      const response = await fetch(at[door], {
        method: 'OPTIONS',
        headers: {
          origin: 'https://inspector.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': asked,
        },
      });
      expect(response.status).toBe(204);
      const allowed = response.headers.get('access-control-allow-headers')?.split(', ');
      expect(asked.split(',').filter((name) => !allowed?.includes(name))).toEqual([]);
      expect(response.headers.get('access-control-allow-methods')).toBe('POST, GET, DELETE');
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(response.headers.has('access-control-allow-credentials')).toBe(false);
      expect(response.headers.has('www-authenticate')).toBe(false);
    });

  it('may read an answer with a token, from any page', async () => {
    const response = await fetch(at.builder, {
      method: 'POST',
      headers: {
        origin: 'https://inspector.example',
        authorization: `Bearer ${builders}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}',
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-expose-headers')).toBe(
      'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
    );
  });

  for (const path of ['/login', '/account', '/admin/users'])
    it(`are not let into the pages of sign-in: ${path}`, async () => {
      const origin = 'https://inspector.example';
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const { headers, status } = await fetch(new URL(path, site.origin), {
          method,
          headers: { origin },
          redirect: 'manual',
        });
        expect([...headers].filter(([name]) => name.startsWith('access-control-'))).toEqual([]);
        if (method === 'OPTIONS') expect(status).toBe(405);
      }
    });
});
