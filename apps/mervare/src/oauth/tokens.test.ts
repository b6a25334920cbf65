import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { decide } from '../testing/approve.ts';
import { authorization, connect, oauthSite, redeem, refresh, registerClient } from '../testing/oauth.ts';
import type { Tokens } from '../testing/oauth.ts';
import { rpc } from '../testing/rpc.ts';

let site: Awaited<ReturnType<typeof oauthSite>>;
/** Stands still in a test but where the test moves it: how fast the machine is decides nothing. */
const clock = { began: Date.now(), ahead: 0 };
beforeAll(async () => {
  site = await oauthSite(undefined, undefined, { now: () => clock.began + clock.ahead });
});
beforeEach(() => {
  clock.began = Date.now();
  clock.ahead = 0;
});
afterAll(() => site.close());

const GRACE_MS = 30_000;

/** Status of a call with a token. */
const works = async (token: string, endpoint = '/api/mcp') =>
  (await rpc(`${site.origin}${endpoint}`, token, 'tools/list')).status;

/** Status and body of a token answer. */
async function said(response: Response) {
  return { status: response.status, body: (await response.json()) as Tokens & { error?: string } };
}

/** A code that a person has just allowed, and what redeems it. */
async function code() {
  const client = await registerClient(site.origin);
  const { url, verifier } = authorization(site.origin, client);
  const { callback } = await decide(await site.as('member'), url);
  return { client, verifier, callback, redeem: () => redeem(site.origin, client, { callback, verifier }) };
}

describe('B-05 refreshing', () => {
  it('B-05 MER-23.1 a hundred at the same moment all get an answer that works, and the family lives on', async () => {
    const { client, tokens } = await connect(site.origin, await site.as('member'));
    const answers = await Promise.all(
      Array.from({ length: 100 }, async () => said(await refresh(site.origin, client, tokens.refresh_token))),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(100);
    const renewed = answers.map(({ body }) => body);
    expect(new Set(renewed.map((one) => one.refresh_token)).size).toBe(100);
    for (const { access_token } of [renewed[0], renewed[57], renewed[99]].filter((one) => one !== undefined))
      expect(await works(access_token)).toBe(200);
    const last = await refresh(site.origin, client, renewed[99]?.refresh_token ?? '');
    expect(last.status).toBe(200);
  });

  it('B-05 MER-23.2 a lost reply is asked for again within the grace; after it the old token ends the family, and that is logged', async () => {
    const { client, tokens } = await connect(site.origin, await site.as('member'));
    await refresh(site.origin, client, tokens.refresh_token); // Its answer gets lost.
    clock.ahead = 5000;
    const again = await said(await refresh(site.origin, client, tokens.refresh_token));
    expect(again.status).toBe(200);
    const next = await said(await refresh(site.origin, client, again.body.refresh_token));
    expect([next.status, await works(next.body.access_token)]).toEqual([200, 200]);

    clock.ahead = 3_600_000;
    const replayed = await said(await refresh(site.origin, client, tokens.refresh_token));
    expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant']);
    clock.ahead = 6000;
    expect(await works(next.body.access_token)).toBe(401);
    const newest = await said(await refresh(site.origin, client, next.body.refresh_token));
    expect([newest.status, newest.body.error]).toEqual([400, 'invalid_grant']);
    const logged = site.logged.filter((line) => line.includes('a used refresh token came again'));
    expect(logged).toEqual([expect.stringContaining(client)]);
    expect(logged[0]).not.toContain(tokens.refresh_token);
  });

  it('B-05 MER-23.2 the grace begins at the first use and no later use makes it longer', async () => {
    const { client, tokens } = await connect(site.origin, await site.as('member'));
    for (const ahead of [0, GRACE_MS / 2, GRACE_MS]) {
      clock.ahead = ahead;
      expect((await refresh(site.origin, client, tokens.refresh_token)).status).toBe(200);
    }
    clock.ahead = GRACE_MS + 1;
    expect((await refresh(site.origin, client, tokens.refresh_token)).status).toBe(400);
  });

  it('B-05 a store that fails is a fault of ours and never the end of a connection', async () => {
    const { client, tokens } = await connect(site.origin, await site.as('member'));
    for (const table of ['oauth_artifact', 'oauth_grant', 'oauth_client', 'oauth_access_token', 'person']) {
      await sql`alter table ${sql.table(table)} rename to away`.execute(site.db);
      try {
        const broken = await said(await refresh(site.origin, client, tokens.refresh_token));
        expect([table, broken.status, broken.body.error]).toEqual([table, 500, 'server_error']);
      } finally {
        await sql`alter table away rename to ${sql.table(table)}`.execute(site.db);
      }
    }
    expect((await refresh(site.origin, client, tokens.refresh_token)).status).toBe(200);
  });

  it('MER-23.3 belongs to the client that it was given to', async () => {
    const { tokens } = await connect(site.origin, await site.as('member'));
    const other = await registerClient(site.origin);
    const stolen = await said(await refresh(site.origin, other, tokens.refresh_token));
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant']);
  });

  it('MER-23.4 gives nothing to a person whose account is disabled', async () => {
    const { client, tokens } = await connect(site.origin, await site.as('builder'));
    const disable = (disabled_at: Date | null) =>
      site.db.updateTable('person').set({ disabled_at }).where('email', '=', 'builder@example.com').execute();
    await disable(new Date());
    expect((await refresh(site.origin, client, tokens.refresh_token)).status).toBe(400);
    expect(await works(tokens.access_token)).toBe(401);
    await disable(null);
  });
});

describe('codes', () => {
  it('MER-23.5 a code works once, and a second use ends what the first one gave', async () => {
    const { redeem: use, client } = await code();
    const first = await said(await use());
    expect([first.status, await works(first.body.access_token)]).toEqual([200, 200]);
    const second = await said(await use());
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant']);
    expect(await works(first.body.access_token)).toBe(401);
    expect((await refresh(site.origin, client, first.body.refresh_token)).status).toBe(400);
  });

  it('MER-23.5 a code that comes twice at the same moment leaves nobody with a token', async () => {
    const { redeem: use } = await code();
    const answers = await Promise.all(Array.from({ length: 8 }, async () => said(await use())));
    expect(answers.every(({ status }) => status === 200 || status === 400)).toBe(true);
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    for (const { status, body } of answers)
      if (status === 200) expect(await works(body.access_token)).toBe(401);
  });

  it('MER-23.5 a code works for its client, its verifier and its redirect address alone', async () => {
    const { client, callback, verifier, redeem: use } = await code();
    const other = await registerClient(site.origin);
    for (const response of [
      await redeem(site.origin, other, { callback, verifier }),
      await redeem(site.origin, client, { callback, verifier: 'x'.repeat(43) }),
      await redeem(site.origin, client, { callback, verifier }, { code_verifier: undefined }),
      await redeem(
        site.origin,
        client,
        { callback, verifier },
        { redirect_uri: 'http://127.0.0.1:1/callback' },
      ),
    ]) {
      const { status, body } = await said(response);
      expect(status).toBe(400);
      expect(['invalid_grant', 'invalid_request']).toContain(body.error);
    }
    expect((await use()).status).toBe(200);
  });
});

describe('access tokens', () => {
  it('MER-12 work at the endpoint that they were asked for and at no other', async () => {
    const admin = await site.as('admin');
    const wide = await connect(site.origin, admin);
    const narrow = await connect(site.origin, await site.as('builder'), {
      resource: `${site.origin}/api/mcp/builder`,
    });
    expect([
      await works(wide.tokens.access_token),
      await works(wide.tokens.access_token, '/api/mcp/builder'),
    ]).toEqual([200, 401]);
    expect([
      await works(narrow.tokens.access_token, '/api/mcp/builder'),
      await works(narrow.tokens.access_token),
    ]).toEqual([200, 401]);
  });

  it('MER-12 a token cannot be had for another endpoint than was allowed', async () => {
    const { client, callback, verifier } = await code();
    const builder = { resource: `${site.origin}/api/mcp/builder` };
    const exchanged = await said(await redeem(site.origin, client, { callback, verifier }, builder));
    expect([exchanged.status, exchanged.body.error]).toEqual([400, 'invalid_target']);
    const held = await connect(site.origin, await site.as('member'));
    const refreshed = await said(await refresh(site.origin, held.client, held.tokens.refresh_token, builder));
    expect([refreshed.status, refreshed.body.error]).toEqual([400, 'invalid_target']);
  });

  it('MER-23.6 live 15 minutes', async () => {
    const { tokens } = await connect(site.origin, await site.as('member'));
    expect(tokens.expires_in).toBe(900);
    clock.ahead = 899_999;
    expect(await works(tokens.access_token)).toBe(200);
    clock.ahead = 900_000;
    expect(await works(tokens.access_token)).toBe(401);
  });

  it('MER-23.7 are ended by their client, and what was given beside them', async () => {
    for (const which of ['access_token', 'refresh_token'] as const) {
      const { client, tokens } = await connect(site.origin, await site.as('member'));
      const other = await registerClient(site.origin);
      const revoke = (client_id: string) =>
        fetch(`${site.origin}/api/oauth/revoke`, {
          method: 'POST',
          body: new URLSearchParams({ client_id, token: tokens[which] }),
        });
      expect([(await revoke(other)).status, await works(tokens.access_token)]).toEqual([200, 200]);
      expect([(await revoke(client)).status, await works(tokens.access_token)]).toEqual([200, 401]);
      expect((await refresh(site.origin, client, tokens.refresh_token)).status).toBe(400);
      expect((await revoke(client)).status).toBe(200);
    }
  });

  it('MER-23.8 a scope that was not allowed cannot be had by asking again; unknown ones are dropped', async () => {
    const { client, tokens } = await connect(site.origin, await site.as('admin'), { scope: 'author reader' });
    expect(tokens.scope).toBe('author reader');
    const fewer = await said(
      await refresh(site.origin, client, tokens.refresh_token, { scope: 'reader nonsense' }),
    );
    expect([fewer.status, fewer.body.scope]).toEqual([200, 'reader']);
    const more = await said(
      await refresh(site.origin, client, fewer.body.refresh_token, { scope: 'control' }),
    );
    expect([more.status, more.body.error]).toEqual([400, 'invalid_scope']);
  });
});

it('MER-23.9 no code, token or request secret stands anywhere in the database or in the log', async () => {
  const { client, callback, verifier, redeem: use } = await code();
  const waiting = await (await site.as('member')).go(authorization(site.origin, client).url);
  const { body } = await said(await use());
  const secrets = [
    callback.searchParams.get('code') ?? '',
    body.access_token,
    body.refresh_token,
    verifier,
    waiting.url.pathname.split('/').at(-1) ?? '',
  ];
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'mervare'`.execute(site.db);
  expect(tables.length).toBeGreaterThan(10);
  for (const { name } of tables.filter((table) => table.name !== 'harbour')) {
    const { rows } = await sql<{ text: string }>`select t::text as text from ${sql.table(name)} t`.execute(
      site.db,
    );
    const text = rows.map((row) => row.text).join('\n');
    for (const secret of secrets) {
      expect(secret).toMatch(/^[\w-]{21,}$/);
      expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
      expect(text.includes(Buffer.from(secret).toString('hex')), `${secret} in ${name}`).toBe(false);
    }
  }
  for (const secret of secrets) expect(site.logged.join('\n').includes(secret)).toBe(false);
  const kinds = await site.db.selectFrom('oauth_artifact').select('kind').distinct().execute();
  expect(kinds.map(({ kind }) => kind).toSorted()).toEqual([
    'AuthorizationCode',
    'Interaction',
    'RefreshToken',
  ]);
});

it('MER-23.10 answers of the token endpoint are JSON whatever is asked, and are kept by nobody', async () => {
  for (const [body, type, status] of [
    ['grant_type=refresh_token', 'application/x-www-form-urlencoded', 400],
    ['grant_type=password&client_id=x', 'application/x-www-form-urlencoded', 401],
    ['{"grant_type":"refresh_token"}', 'application/json', 400],
    ['', 'application/x-www-form-urlencoded', 400],
  ] as const) {
    const response = await fetch(`${site.origin}/api/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': type, accept: 'text/html' },
      body,
    });
    expect([body, response.status]).toEqual([body, status]);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toMatchObject({ error: expect.any(String) });
  }
  expect((await fetch(`${site.origin}/api/oauth/token`)).status).toBe(405);
});
