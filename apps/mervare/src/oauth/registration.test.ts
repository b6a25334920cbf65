import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  askForToken,
  authorization,
  connect,
  oauthSite,
  REDIRECT,
  refresh,
  register,
} from '../testing/oauth.ts';
import { testSite } from '../testing/site.ts';
import { sweepOauth } from './clients.ts';
import { redirectKind } from './redirect-rule.ts';

let site: Awaited<ReturnType<typeof oauthSite>>;
beforeAll(async () => {
  site = await oauthSite();
});
afterAll(() => site.close());

const DAY_MS = 86_400_000;

/** What is answered to a registration without an Accept header, and that it is JSON. */
async function answered(body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${site.origin}/api/oauth/register`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
    redirect: 'manual',
  });
  expect(response.headers.get('content-type')).toMatch(/^application\/json/);
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('B-04 registration', () => {
  it('B-04 (a) takes the private scheme of an editor beside an https address', async () => {
    const redirect_uris = [
      'cursor://anysphere.cursor-retrieval/oauth/callback',
      'https://www.cursor.com/agents/mcp/oauth/callback',
    ];
    const { status, body } = await answered({ client_name: 'Cursor', redirect_uris });
    expect(status).toBe(201);
    expect(body).toMatchObject({ client_name: 'Cursor', redirect_uris, application_type: 'native' });
  });

  it('B-04 (b) takes only a private scheme without slashes', async () => {
    const { status, body } = await answered({ redirect_uris: ['com.example.app:/cb'] });
    expect([status, body['redirect_uris']]).toEqual([201, ['com.example.app:/cb']]);
  });

  it('B-04 (c) refuses a scheme that runs code', async () => {
    const { status, body } = await answered({ redirect_uris: ['javascript:alert(1)'] });
    expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('B-04 (d) refuses to be told no redirect address', async () => {
    for (const said of [{}, { redirect_uris: [] }, { redirect_uris: 'https://a.example/' }]) {
      const { status, body } = await answered(said);
      expect([status, body['error']]).toEqual([400, 'invalid_redirect_uri']);
    }
  });

  it('B-04 (e) and (f) refuses an array and what is no JSON', async () => {
    for (const said of [[{ redirect_uris: [REDIRECT] }], '{"redirect_uris":', '', 'null', '"text"']) {
      const { status, body } = await answered(said);
      expect([status, body['error']]).toEqual([400, 'invalid_client_metadata']);
    }
  });

  it('B-04 (g) ignores unknown fields and drops nulls and scope', async () => {
    const { status, body } = await answered({
      redirect_uris: [REDIRECT],
      scope: 'author',
      logo_uri: null,
      client_name: null,
      something: { else: true },
      id_token_signed_response_alg: 'HS256',
      client_secret: 'mine',
    });
    expect(status).toBe(201);
    expect(Object.values(body)).not.toContain(null);
    for (const name of ['scope', 'something', 'client_secret', 'logo_uri', 'client_name'])
      expect(body).not.toHaveProperty(name);
  });

  it('B-04 (h) makes every client public, and echoes the method and the defaults that hold', async () => {
    for (const token_endpoint_auth_method of ['none', undefined, 'client_secret_basic']) {
      const { status, body } = await answered({ redirect_uris: [REDIRECT], token_endpoint_auth_method });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        token_endpoint_auth_method: 'none',
        grant_types: ['authorization_code'],
        response_types: ['code'],
        application_type: 'native',
        client_id: expect.stringMatching(/^[\w-]{43}$/),
        client_id_issued_at: expect.any(Number),
      });
      const used = await askForToken(site.origin, {
        client_id: String(body['client_id']),
        grant_type: 'authorization_code',
        code: 'none',
        redirect_uri: REDIRECT,
        code_verifier: 'a'.repeat(43),
      });
      expect([used.status, await used.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_grant' }),
      ]);
    }
  });

  it('MER-21.1 one redirect address that is not allowed does not spoil the others, and is not kept', async () => {
    const { status, body } = await answered({ redirect_uris: ['data:text/html,hello', REDIRECT] });
    expect([status, body['redirect_uris']]).toEqual([201, [REDIRECT]]);
  });

  it('MER-21.1 bounds what a client says', async () => {
    for (const said of [
      { redirect_uris: [REDIRECT], client_name: 'x'.repeat(201) },
      { redirect_uris: [REDIRECT], client_name: 7 },
      { redirect_uris: Array.from({ length: 51 }, (_, at) => `https://a.example/${at}`) },
      { redirect_uris: Array.from({ length: 10 }, (_, at) => `https://a.example/${at}${'x'.repeat(1900)}`) },
    ])
      expect((await answered(said)).status).toBe(400);
  });
});

describe('MER-22.1 where a client may have people sent', () => {
  const rows: readonly (readonly [string, ReturnType<typeof redirectKind>])[] = [
    ['https://client.example/cb', 'web'],
    ['https://client.example:8443/cb?a=b', 'web'],
    ['https://localhost/cb', 'web'],
    ['http://127.0.0.1/cb', 'loopback'],
    ['http://127.0.0.1:33418/cb', 'loopback'],
    ['http://[::1]:1/cb', 'loopback'],
    ['http://localhost:1/cb', 'loopback'],
    ['com.example.app:/cb', 'private'],
    ['cursor://anysphere.cursor-retrieval/oauth/callback', 'private'],
    ['vscode://vscode.git/cb', 'private'],
    ['http://client.example/cb', undefined],
    ['http://127.0.0.1.evil.test:1/cb', undefined],
    ['http://127.0.0.1@evil.test/cb', undefined],
    ['http://0.0.0.0/cb', undefined],
    ['http://10.0.0.1/cb', undefined],
    ['https://user@client.example/cb', undefined],
    ['https://user:pw@client.example/cb', undefined],
    ['https://client.example/cb#part', undefined],
    ['https://client.example/cb#', undefined],
    ['https:client.example/cb', undefined],
    ['https:///client.example/cb', undefined],
    ['https://*/cb', undefined],
    ['https://*.client.example/cb', undefined],
    ['https://client.example;script-src/cb', undefined],
    ['https://client.example,default-src/cb', undefined],
    ['https://client%2eexample/cb', undefined],
    ['http://127.1/cb', undefined],
    ['http://0x7f000001/cb', undefined],
    ['https:\\\\client.example\\cb', undefined],
    ['https://client.example/ cb', undefined],
    ['https://client.example/\tcb', undefined],
    [' https://client.example/cb', undefined],
    ['https://клиент.example/cb', undefined],
    ['javascript:alert(1)', undefined],
    ['JavaScript://client.example/%0aalert(1)', undefined],
    ['data:text/html,x', undefined],
    ['file:///etc/passwd', undefined],
    ['blob:https://client.example/1', undefined],
    ['vbscript:x', undefined],
    ['mailto:a@b.example', undefined],
    ['ws://127.0.0.1/cb', undefined],
    ['/cb', undefined],
    ['', undefined],
    [`https://client.example/${'x'.repeat(2000)}`, undefined],
  ];
  for (const [uri, kind] of rows)
    it(`${uri.slice(0, 60)} is ${kind ?? 'refused'}`, () => expect(redirectKind(uri)).toBe(kind));
});

describe('B-08 clients that nobody uses', () => {
  it('B-08 go after 30 days, while used ones stay with what they were allowed; a swept one is told so', async () => {
    const grant_types = ['authorization_code', 'refresh_token'];
    const same = { client_name: 'Again and again', redirect_uris: [REDIRECT], grant_types };
    const ids: string[] = [];
    for (let count = 0; count < 60; count += 1) ids.push(String((await answered(same)).body['client_id']));
    const person = await site.as('member');
    const used = await Promise.all(
      ids.slice(0, 3).map((client_id) => connect(site.origin, person, { client_id })),
    );
    const kept = async () => {
      const rows = await site.db.selectFrom('oauth_client').select('id').where('id', 'in', ids).execute();
      return rows.map(({ id }) => id).toSorted();
    };
    const sweepAfter = (days: number) => {
      site.clock.ahead = days * DAY_MS;
      return sweepOauth({ db: site.db, now: () => Date.now() + site.clock.ahead });
    };
    await sweepAfter(29);
    expect(await kept()).toHaveLength(60);
    for (const { client, tokens } of used)
      expect((await refresh(site.origin, client, tokens.refresh_token)).status).toBe(200);
    await sweepAfter(31);
    expect(await kept()).toEqual(ids.slice(0, 3).toSorted());
    await sweepAfter(60);
    expect(await kept()).toEqual([]);
    site.clock.ahead = 0;

    const [swept = ''] = ids.slice(-1);
    const atToken = await askForToken(site.origin, {
      client_id: swept,
      grant_type: 'refresh_token',
      refresh_token: 'anything',
    });
    expect([atToken.status, await atToken.json()]).toEqual([
      401,
      expect.objectContaining({ error: 'invalid_client' }),
    ]);
    const atAuthorize = await fetch(authorization(site.origin, swept).url, { redirect: 'manual' });
    expect(atAuthorize.status).toBe(400);
    expect(atAuthorize.headers.get('content-type')).toMatch(/^text\/html/);
    expect(atAuthorize.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await atAuthorize.text()).toContain('connect again');
  });

  it('B-08 MER-21.2 an administrator sees and removes them, and with a client go its tokens', async () => {
    const admin = await site.as('admin');
    const member = await site.as('member');
    const { client, tokens } = await connect(site.origin, member);
    const page = await admin.go('/admin/clients');
    expect(page.text).toContain(client);
    expect((await member.go('/admin/clients')).status).toBe(403);

    const form = { csrf: /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '', client };
    await admin.go('/admin/clients', { method: 'POST', body: new URLSearchParams(form) });
    expect((await admin.go('/admin/clients')).text).not.toContain(client);
    const refused = await fetch(`${site.origin}/api/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
    expect(refused.status).toBe(401);
    const audited = await site.db
      .selectFrom('audit')
      .selectAll()
      .where('action', '=', 'admin.client_remove')
      .execute();
    expect(audited).toEqual([expect.objectContaining({ who: 'admin@example.com', ids: [client] })]);
  });

  it('B-08 are never more than a fixed number, whatever their age: the newest stay', async () => {
    const ids: unknown[] = [];
    for (let count = 0; count < 4; count += 1) {
      site.clock.ahead = count;
      ids.push((await answered({ redirect_uris: [REDIRECT] })).body['client_id']);
    }
    await sweepOauth({ db: site.db, now: Date.now }, 2);
    site.clock.ahead = 0;
    const rows = await site.db
      .selectFrom('oauth_client')
      .select('id')
      .where('last_used_at', 'is', null)
      .orderBy('created_at')
      .execute();
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(-2));
  });

  it('B-08 a flood from one address is answered 429, at every node', async () => {
    const statuses: number[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      const asked = Array.from({ length: 50 }, () => register(site.origin, { redirect_uris: [REDIRECT] }));
      for (const { status } of await Promise.all(asked)) statuses.push(status);
    }
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(900);
    expect(statuses.every((status) => status === 201 || status === 429)).toBe(true);
    const node = await testSite(undefined, undefined, {}, site.register);
    expect((await register(node.origin, { redirect_uris: [REDIRECT] })).status).toBe(429);
    await node.close();
  }, 60_000);
});
