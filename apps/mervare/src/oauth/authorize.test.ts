import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { servers } from '../mcp/servers.ts';
import { decide, signIn, signInAndApprove } from '../testing/approve.ts';
import { openBrowser } from '../testing/browser.ts';
import { authorization, connect, oauthSite, redeem, REDIRECT, registerClient } from '../testing/oauth.ts';
import { testSite } from '../testing/site.ts';
import { listedTools, rpc } from '../testing/rpc.ts';

let site: Awaited<ReturnType<typeof oauthSite>>;
let client: string;
beforeAll(async () => {
  site = await oauthSite();
  client = await registerClient(site.origin);
});
afterAll(() => site.close());

type Fields = Readonly<Record<string, string | undefined>>;

/** Where an authorization request leads before anybody is asked. */
async function asked(fields: Fields, of = client) {
  const { url } = authorization(site.origin, of, fields);
  const response = await fetch(url, { redirect: 'manual' });
  return { status: response.status, location: response.headers.get('location'), text: await response.text() };
}

describe('MER-22 an authorization request', () => {
  it('MER-22.2 needs PKCE with S256', async () => {
    for (const fields of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
    ]) {
      const back = new URL((await asked(fields)).location ?? '');
      expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
      expect(Object.fromEntries(back.searchParams)).toMatchObject({
        error: 'invalid_request',
        state: 'a-state',
        iss: site.origin,
      });
    }
  });

  it('MER-22.3 is answered with the issuer, whether allowed, declined or refused', async () => {
    const person = await site.as('member');
    const { callback } = await decide(person, authorization(site.origin, client).url);
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      code: expect.stringMatching(/^[\w-]{43}$/),
      state: 'a-state',
      iss: site.origin,
    });
    const declined = await decide(person, authorization(site.origin, client).url, 'deny');
    expect(Object.fromEntries(declined.callback.searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'the person declined',
      state: 'a-state',
      iss: site.origin,
    });
    const silent = new URL((await asked({ prompt: 'none' })).location ?? '');
    expect(Object.fromEntries(silent.searchParams)).toMatchObject({
      error: 'consent_required',
      iss: site.origin,
    });
  });

  it('MER-22.3 gets its state back as it was, whatever it looks like', async () => {
    const person = await site.as('member');
    for (const state of ['{secret}', 'a b+c&d=e', 'é漢"\\\n'])
      for (const decision of ['allow', 'deny'] as const) {
        const { callback } = await decide(
          person,
          authorization(site.origin, client, { state }).url,
          decision,
        );
        expect(callback.searchParams.get('state')).toBe(state);
      }
  });

  it('MER-22.3 and a token request with U+0000 are the client’s fault', async () => {
    for (const fields of [{ client_id: '\0' }, { state: 'a\0' }])
      expect((await asked(fields)).status).toBe(400);
    for (const path of ['token', 'revoke']) {
      const body = new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: '\0',
        refresh_token: 'x',
        token: 'x',
      });
      const response = await fetch(`${site.origin}/api/oauth/${path}`, { method: 'POST', body });
      expect([response.status, await response.json()]).toMatchObject([400, { error: 'invalid_request' }]);
    }
  });

  it('MER-22.3 is refused where it asks for what is not offered: request objects, other response types', async () => {
    for (const [fields, error] of [
      [{ request: 'e30.e30.' }, 'request_not_supported'],
      [{ request_uri: 'https://client.example/request' }, 'request_uri_not_supported'],
      [{ response_type: 'token' }, 'unsupported_response_type'],
      [{ response_mode: 'form_post' }, 'unsupported_response_mode'],
    ] as const) {
      const { location } = await asked(fields);
      expect(location).toContain(`error=${error}`);
    }
  });

  it('MER-22.3 is not confused by parameters of OpenID Connect, which mean nothing here', async () => {
    const openid = {
      nonce: 'n',
      max_age: '0',
      claims: '{}',
      acr_values: 'x',
      prompt: 'login',
      id_token_hint: 'x',
    };
    const { tokens } = await connect(site.origin, await site.as('member'), {
      ...openid,
      scope: 'openid profile offline_access discovery',
    });
    expect(tokens).toMatchObject({ scope: 'discovery', token_type: 'Bearer' });
    expect(tokens).not.toHaveProperty('id_token');
  });
});

describe('B-02 the resource of a request', () => {
  const forms = (): readonly (readonly [string, string | undefined])[] => [
    ['as published', `${site.origin}/api/mcp`],
    ['with a slash', `${site.origin}/api/mcp/`],
    ['with the host in capitals', `HTTP://${new URL(site.origin).host.toUpperCase()}/api/mcp`],
    ['not at all', undefined],
    ['empty', ''],
  ];

  it('B-02 MER-22.4 MER-24.1 is one audience in every equivalent form, at authorize, token and refresh', async () => {
    const person = await site.as('member');
    for (const [form, resource] of forms()) {
      const { url, verifier } = authorization(site.origin, client, { resource });
      const { callback } = await decide(person, url);
      const response = await redeem(site.origin, client, { callback, verifier }, { resource });
      expect([form, response.status]).toEqual([form, 200]);
      const { access_token, refresh_token } = (await response.json()) as Record<string, string>;
      expect(await listedTools(`${site.origin}/api/mcp`, access_token)).toContain('harbour_search');
      const again = await fetch(`${site.origin}/api/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'refresh_token',
          client_id: client,
          refresh_token: refresh_token ?? '',
          ...(resource !== undefined && { resource }),
        }),
      });
      const renewed = (await again.json()) as Record<string, string>;
      expect(await listedTools(`${site.origin}/api/mcp`, renewed['access_token'])).toContain(
        'harbour_search',
      );
    }
  });

  it('B-02 MER-22.4 the default port is no difference where the site stands on it', async () => {
    const other = await oauthSite(undefined, { MERVARE_ORIGIN: 'https://mervare.example' });
    try {
      const id = await registerClient(other.listening);
      for (const resource of ['https://mervare.example:443/api/mcp', 'https://MERVARE.example/api/mcp/']) {
        const { url } = authorization(other.listening, id, { resource });
        const response = await fetch(url, { redirect: 'manual' });
        expect(response.headers.get('location')).toMatch(/^\/oauth\/consent\//);
      }
    } finally {
      await other.close();
    }
  });

  it('B-02 MER-22.4 is refused early when it is none or more than one of the endpoints', async () => {
    for (const resource of [
      `${site.origin}/other`,
      `${site.origin}/api/mcp/discovery`,
      `${site.origin}/api/mcp?a=b`,
      `${site.origin}/api/mcp#part`,
      `${site.origin}/api/mcp//`,
      'https://elsewhere.example/api/mcp',
      'nonsense',
    ]) {
      const { location } = await asked({ resource });
      const back = new URL(location ?? '');
      expect([resource, back.searchParams.get('error')]).toEqual([resource, 'invalid_target']);
    }
    const { url } = authorization(site.origin, client);
    url.searchParams.append('resource', `${site.origin}/api/mcp/builder`);
    const two = await fetch(url, { redirect: 'manual' });
    expect(two.headers.get('location')).toContain('error=invalid_target');
  });
});

describe('B-03 redirect addresses', () => {
  it('B-03 MER-22.5 a loopback address matches on everything but its port, and the code is bound to the one used', async () => {
    const person = await site.as('member');
    for (const [registered, used] of [
      ['http://127.0.0.1:33418/callback', 'http://127.0.0.1:51000/callback'],
      ['http://127.0.0.1/callback', 'http://127.0.0.1:51000/callback'],
      ['http://[::1]/cb', 'http://[::1]:51000/cb'],
      ['http://localhost:1/cb', 'http://localhost:51000/cb'],
    ] as const) {
      const id = await registerClient(site.origin, { redirect_uris: [registered] });
      const { url, verifier } = authorization(site.origin, id, { redirect_uri: used });
      const { callback } = await decide(person, url);
      expect(`${callback.origin}${callback.pathname}`).toBe(used);
      const other = await redeem(site.origin, id, { callback, verifier }, { redirect_uri: registered });
      expect([other.status, await other.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_grant' }),
      ]);
    }
  });

  it('B-03 MER-22.5 everything else is refused on our own page, and nobody is sent anywhere', async () => {
    const loopback = await registerClient(site.origin, {
      redirect_uris: ['http://127.0.0.1:33418/callback', 'https://client.example/cb'],
    });
    for (const redirect_uri of [
      'http://127.0.0.1:33418/other',
      'http://127.0.0.1:33418/callback/',
      'http://127.0.0.1:33418/callback?a=b',
      'http://localhost:33418/callback',
      'http://[::1]:33418/callback',
      'http://127.0.0.2:33418/callback',
      'https://127.0.0.1:33418/callback',
      'http://127.0.0.1.evil.test:1/callback',
      'http://127.0.0.1@evil.test/callback',
      'http://evil.test/callback',
      'https://client.example:8443/cb',
      'https://client.example/cb/../other',
      'https://client.example.evil.test/cb',
      'https://client.example/CB',
      'javascript:alert(1)',
    ]) {
      const { status, location, text } = await asked({ redirect_uri }, loopback);
      expect([redirect_uri, status, location]).toEqual([redirect_uri, 400, null]);
      expect(text).toContain('Not connected');
    }
    const twice = authorization(site.origin, loopback).url;
    twice.searchParams.append('redirect_uri', 'https://evil.test/');
    const response = await fetch(twice, { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([400, null]);
  });
});

describe('MER-24 consent', () => {
  const wide = 'author publisher analyst reader harbour builder discovery control funding';
  const table: readonly (readonly [
    'admin' | 'builder' | 'member',
    '/api/mcp' | '/api/mcp/builder',
    string | undefined,
    string,
  ])[] = [
    ['admin', '/api/mcp', undefined, 'author publisher analyst reader harbour discovery control funding'],
    ['admin', '/api/mcp', wide, 'author publisher analyst reader harbour discovery control funding'],
    ['admin', '/api/mcp', 'author', 'author'],
    ['admin', '/api/mcp', 'reader author', 'author reader'],
    ['admin', '/api/mcp', 'author nonsense', 'author'],
    ['admin', '/api/mcp', 'nonsense', 'author publisher analyst reader harbour discovery control funding'],
    ['admin', '/api/mcp', 'builder', 'discovery'],
    ['admin', '/api/mcp', 'builder harbour', 'harbour'],
    ['admin', '/api/mcp/builder', undefined, 'discovery'],
    ['admin', '/api/mcp/builder', 'builder', 'discovery'],
    ['builder', '/api/mcp', undefined, 'builder discovery'],
    ['builder', '/api/mcp', 'builder', 'builder'],
    ['builder', '/api/mcp', 'author control funding', 'discovery'],
    ['builder', '/api/mcp/builder', undefined, 'builder'],
    ['builder', '/api/mcp/builder', 'builder', 'builder'],
    ['builder', '/api/mcp/builder', 'author', 'builder'],
    ['member', '/api/mcp', undefined, 'discovery'],
    ['member', '/api/mcp', wide, 'discovery'],
    ['member', '/api/mcp', 'discovery', 'discovery'],
    ['member', '/api/mcp/builder', undefined, 'discovery'],
    ['member', '/api/mcp/builder', 'builder', 'discovery'],
  ];
  for (const [who, endpoint, scope, granted] of table)
    it(`MER-24.2 MER-28.3 a ${who} at ${endpoint} who is asked for ${scope ?? 'nothing'} gives ${granted}, and the page says so`, async () => {
      const person = await site.as(who);
      const resource = `${site.origin}${endpoint}`;
      const { url, verifier } = authorization(site.origin, client, { resource, scope });
      const { callback, consent } = await decide(person, url);
      const rows = [...consent.text.matchAll(/<li><code>(\w+)<\/code>/g)].map(([, name]) => name);
      expect(rows).toEqual(granted.split(' '));
      const response = await redeem(site.origin, client, { callback, verifier });
      expect(await response.json()).toMatchObject({ scope: granted });
    });

  it('MER-24.3 each row says what the scope opens and how many tools; harbour and builder alone carry a warning', async () => {
    const rowsFor = async (who: 'admin' | 'builder' | 'member', resource: string) => {
      const page = await (await site.as(who)).go(authorization(site.origin, client, { resource }).url);
      const list = /<ul class="scopes">([\s\S]*?)<\/ul>/.exec(page.text)?.[1] ?? '';
      return [...list.matchAll(/<li>([\s\S]*?)<\/li>/g)].map(([, row = '']) => row);
    };
    const admin = await rowsFor('admin', `${site.origin}/api/mcp`);
    expect(admin[4]).toContain('<code>harbour</code> Read observed harbour traffic: 2 tools.');
    expect(admin[5]).toContain('<code>discovery</code> Read public harbour facts: 5 tools.');
    expect(admin[7]).toContain('<code>funding</code> Work in the funding workspace: 24 tools.');
    expect(admin.map((row) => row.includes('Take care'))).toEqual([
      false,
      false,
      false,
      false,
      true,
      false,
      false,
      false,
    ]);
    const builder = await rowsFor('builder', `${site.origin}/api/mcp`);
    expect(builder.map((row) => row.includes('Take care'))).toEqual([true, false]);
    const [floor = ''] = await rowsFor('member', `${site.origin}/api/mcp/builder`);
    expect(floor).toContain('no tool of this endpoint opens with it');
    const { tokens } = await connect(site.origin, await site.as('member'), {
      resource: `${site.origin}/api/mcp/builder`,
    });
    expect(await listedTools(`${site.origin}/api/mcp/builder`, tokens.access_token)).toEqual([]);
  });

  it('MER-24.2 gives what the page said and no more, also where a right came after it was shown', async () => {
    const person = await site.as('member');
    const { email } = await site.accountOf('member');
    const { url, verifier } = authorization(site.origin, client);
    const consent = await person.go(url);
    expect(consent.text).not.toContain('Take care');
    const { id } = await site.db
      .selectFrom('person')
      .select('id')
      .where('email', '=', email)
      .executeTakeFirstOrThrow();
    const granted = { person: id, granted_by: null, granted_at: new Date() };
    await site.db.insertInto('builder_grant').values(granted).execute();
    const { left: callback = site.origin } = await person.submit(consent, { decision: 'allow' });
    await site.db.deleteFrom('builder_grant').where('person', '=', id).execute();
    const response = await redeem(site.origin, client, { callback: new URL(callback), verifier });
    expect(await response.json()).toMatchObject({ scope: 'discovery' });
  });

  it('MER-24.4 leaves nothing to choose: the page has no field but the decision', async () => {
    const page = await (await site.as('admin')).go(authorization(site.origin, client).url);
    expect([...page.text.matchAll(/<(?:input|select|textarea)\b[^>]*>/g)].map(([tag]) => tag)).toEqual([
      expect.stringMatching(/type="hidden" name="csrf"/),
      expect.stringMatching(/type="hidden" name="shown"/),
    ]);
    expect([...page.text.matchAll(/<button[^>]*value="(\w+)"/g)].map(([, value]) => value)).toEqual([
      'allow',
      'deny',
    ]);
  });

  it('MER-24.5 shows the words of a client as text, beside where it sends people', async () => {
    const id = await registerClient(site.origin, {
      client_name: '<script>alert(1)</script>"Trusted" \u202E',
      redirect_uris: ['https://client.example/cb'],
    });
    const page = await (
      await site.as('member')
    ).go(authorization(site.origin, id, { redirect_uri: 'https://client.example/cb' }).url);
    expect(page.text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;Trusted&quot;');
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).not.toContain('\u202E');
    expect(page.text).toContain('sent back to <strong class="claimed">client.example</strong>');
  });

  it('MER-24.6 cannot be framed or sent from elsewhere: no framing, no foreign form, no missing or other secret', async () => {
    const person = await site.as('member');
    const page = await person.go(authorization(site.origin, client).url);
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(page.headers.get('x-frame-options')).toBe('DENY');
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:33418",
    );
    const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    for (const [fields, origin] of [
      [{ decision: 'allow' }, site.origin],
      [{ decision: 'allow', csrf: '' }, site.origin],
      [{ decision: 'allow', csrf: 'x'.repeat(csrf.length) }, site.origin],
      [{ decision: 'allow', csrf }, 'https://evil.test'],
      [{ decision: 'allow', csrf }, 'null'],
    ] as const) {
      const refused = await person.go(page.url, {
        method: 'POST',
        headers: { origin },
        body: new URLSearchParams(fields),
      });
      expect([fields, refused.status, refused.left]).toEqual([fields, 403, undefined]);
    }
    const odd = { csrf, decision: 'everything' };
    expect((await person.go(page.url, { method: 'POST', body: new URLSearchParams(odd) })).status).toBe(400);
  });

  it('MER-24.7 belongs to the browser that began it, and to whoever is signed in there', async () => {
    const member = await site.as('member');
    const admin = await site.as('admin');
    const begun = await member.go(authorization(site.origin, client).url);
    const stolen = await admin.go(begun.url);
    expect([stolen.status, stolen.text.includes('another browser')]).toEqual([400, true]);
    const csrf = /name="csrf" value="([^"]+)"/.exec((await admin.go('/account/connections')).text)?.[1] ?? '';
    const form = new URLSearchParams({ csrf: csrf || 'none', decision: 'allow' });
    const pushed = await admin.go(begun.url, { method: 'POST', body: form });
    expect(pushed.left).toBeUndefined();

    const nobody = openBrowser(site.origin);
    const begins = await nobody.go(authorization(site.origin, client).url);
    expect([begins.url.pathname, begins.text.includes('Sign in')]).toEqual(['/login', true]);
  });

  it('MER-24.7 goes from the request over the sign-in page to the code, and the code works', async () => {
    const { url, verifier } = authorization(site.origin, client);
    const callback = await signInAndApprove(url, await site.accountOf('member'));
    const response = await redeem(site.origin, client, { callback, verifier });
    const { access_token } = (await response.json()) as { access_token: string };
    const answer = await rpc(`${site.origin}/api/mcp`, access_token, 'tools/list');
    expect(answer.status).toBe(200);
  });

  it('MER-24.7 may begin at one node, be decided at another, and be redeemed at any', async () => {
    const node = await testSite(servers, { MERVARE_ORIGIN: site.origin }, {}, site.register);
    const second = node.listening;
    try {
      const person = await signIn(second, await site.accountOf('member'));
      const { url, verifier } = authorization(second, client, { resource: undefined });
      const begun = await person.go(url);
      const consent = await person.go(new URL(begun.url.pathname, site.origin));
      const { left: callback = site.origin } = await person.submit(consent, { decision: 'allow' });
      const response = await redeem(second, client, { callback: new URL(callback), verifier });
      const { access_token } = (await response.json()) as { access_token: string };
      expect(await listedTools(`${site.origin}/api/mcp`, access_token)).toContain('harbour_search');
      expect(await listedTools(`${second}/api/mcp`, access_token)).toContain('harbour_search');
    } finally {
      await node.close();
    }
  });

  it('MER-24.7 cookies of the request are kept from scripts, from other sites, and from plain HTTP where the site has HTTPS', async () => {
    const behind = await oauthSite(undefined, {
      MERVARE_ORIGIN: 'https://mervare.example',
      MERVARE_TRUSTED_PROXIES: '127.0.0.1',
    });
    const unnamed = await testSite(
      servers,
      { MERVARE_ORIGIN: 'https://mervare.example' },
      {},
      behind.register,
    );
    try {
      const id = await registerClient(behind.listening);
      for (const [node, headers] of [
        [behind, { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'mervare.example' }],
        [unnamed, { host: 'mervare.example' }],
      ] as const) {
        const { url } = authorization(node.listening, id, { resource: undefined });
        const [response] = (await once(get(url, { headers }), 'response')) as [IncomingMessage];
        response.resume();
        const cookies = response.headers['set-cookie'] ?? [];
        expect(cookies.map((cookie) => /^[^=]+/.exec(cookie)?.[0] ?? '').toSorted()).toEqual([
          'mervare_consent',
          'mervare_consent.sig',
          'mervare_resume',
          'mervare_resume.sig',
        ]);
        for (const cookie of cookies) expect(cookie).toMatch(/; secure/i);
        for (const cookie of cookies)
          expect(cookie).toMatch(/; samesite=lax.*; httponly|; httponly.*; samesite=lax/i);
      }
    } finally {
      await unnamed.close();
      await behind.close();
    }
  });

  it('MER-24.8 a scope that is taken away is gone with the next call, and comes back with the next consent', async () => {
    const builder = await site.as('builder');
    const resource = `${site.origin}/api/mcp/builder`;
    const { tokens } = await connect(site.origin, builder, { resource });
    expect(tokens.scope).toBe('builder');
    const grant = await site.db.selectFrom('builder_grant').selectAll().executeTakeFirstOrThrow();
    await site.db.deleteFrom('builder_grant').execute();
    expect(await listedTools(resource, tokens.access_token)).toEqual([]);
    expect((await connect(site.origin, builder, { resource })).tokens.scope).toBe('discovery');
    await site.db.insertInto('builder_grant').values(grant).execute();
  });
});

describe('requests that wait for a person', () => {
  const clear = () => site.db.deleteFrom('oauth_artifact').where('kind', '=', 'Interaction').execute();
  beforeEach(clear);
  afterAll(clear);

  /** Others begin 10,500 requests, each a little later than the one before and all of them later than what a test begins. */
  const flood = (rank: number) =>
    sql`insert into oauth_artifact (kind, id_hash, payload, expires_at, rank)
      select 'Interaction', sha256((${rank} || '-' || n)::bytea), '{}', ${new Date(Date.now() + 3_600_000)}::timestamptz
        + make_interval(secs => n / 1000.0), ${rank} from generate_series(1, 10500) as n`.execute(site.db);
  /** How many of a flood still wait, and which is the first of them. */
  const left = async (rank: number) =>
    (
      await sql`select count(*)::int as many, min(n) as first from generate_series(1, 10500) as n
        where sha256((${rank} || '-' || n)::bytea) in (select id_hash from oauth_artifact)`.execute(site.db)
    ).rows[0];

  it('MER-22.7 are bounded: beyond 10,000 the oldest goes, and one network begins 1,000 in their time', async () => {
    await flood(0);
    expect((await asked({})).status).toBe(303);
    expect(await left(0)).toEqual({ many: 10_000, first: 501 });

    await sql`update throttle set points = 999 where key like 'oauth-pending:%'`.execute(site.db);
    expect((await asked({})).status).toBe(303);
    expect((await asked({})).status).toBe(429);
    await sql`delete from throttle`.execute(site.db);
  });

  it('MER-22.8 stay where a person signs in while others only begin, and where one has signed in whatever others do', async () => {
    const [reading, typing] = [await site.as('member'), openBrowser(site.origin)];
    const consent = await reading.go(authorization(site.origin, client).url);
    const login = await typing.go(authorization(site.origin, client).url);
    await flood(0);
    await asked({});
    expect(await left(0)).toEqual({ many: 9998, first: 503 });

    const after = await typing.submit(login, { ...(await site.accountOf('builder')) });
    await flood(1);
    await asked({});
    expect([await left(0), await left(1)]).toEqual([
      { many: 0, first: null },
      { many: 9998, first: 503 },
    ]);
    for (const [browser, page] of [
      [reading, consent],
      [typing, after],
    ] as const) {
      const { left: callback } = await browser.submit(page, { decision: 'allow' });
      expect(callback?.searchParams.has('code')).toBe(true);
    }
  });
});
