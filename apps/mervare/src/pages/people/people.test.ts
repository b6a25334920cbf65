import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount } from '../../people/accounts.ts';
import { hashPassword, isPassword } from '../../people/password.ts';
import { createSession } from '../../people/session.ts';
import { addressOf } from '../../mcp/registry.ts';
import { builderOnly, servers, wide } from '../../mcp/servers.ts';
import { formBrowser } from '../../testing/forms.ts';
import { plantPerson, plantToken } from '../../testing/people.ts';
import { listedTools, rpc } from '../../testing/rpc.ts';
import { testSite } from '../../testing/site.ts';

const admin = { email: 'ada@mervare.example', password: 'a harbour at first light' };
const member = { email: 'ben@mervare.example', password: 'no harbour in the fog' };
const ci = 'c'.repeat(40);
let site: Awaited<ReturnType<typeof testSite>>;
let ids: { admin: string; member: string };
beforeAll(async () => {
  site = await testSite(servers, {
    BUILDER_AGENT_TOKENS: `ci:builder:${ci}`,
    MERVARE_TRUSTED_PROXIES: '127.0.0.1',
  });
  const { db } = site.register;
  ids = {
    admin: await plantPerson(db, { ...admin, superAdmin: true }),
    member: await plantPerson(db, member),
  };
});
afterAll(() => site.close());

/** A browser in which this person has signed in. */
async function signedIn(who: keyof typeof ids) {
  const browser = formBrowser(site.origin);
  browser.cookies.set('mervare_session', await createSession(site.register.db, ids[who], Date.now()));
  return browser;
}

describe('MER-27.1 signing in', () => {
  it('leads back to where one came from, with a cookie that scripts cannot read', async () => {
    const browser = formBrowser(site.origin);
    const turned = await browser.go('/admin/users?after=b');
    expect([turned.status, turned.headers.get('location')]).toEqual([
      303,
      '/login?next=%2Fadmin%2Fusers%3Fafter%3Db',
    ]);
    const form = await (await browser.go(turned.headers.get('location') ?? '')).text();
    expect(form).toContain('name="next" value="/admin/users?after=b"');
    const answer = await browser.signIn(
      ` ${admin.email.toUpperCase()} `,
      admin.password,
      '/admin/users?after=b',
    );
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/users?after=b']);
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^mervare_device=[\w-]{22}\.[\w-]{43}; Max-Age=15552000; Path=\/login; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(/^mervare_session=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expect((await browser.go('/admin/users')).status).toBe(200);
  });

  it('is Secure where the visitor came by https', async () => {
    const answer = await fetch(new URL('/login', site.origin), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'x-forwarded-for': '192.0.2.7', 'x-forwarded-proto': 'https' },
      body: new URLSearchParams(admin),
    });
    for (const cookie of answer.headers.getSetCookie())
      expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax$/);
  });

  it('says the same of a wrong password and of nobody', async () => {
    const browser = formBrowser(site.origin);
    const answers = await Promise.all([
      browser.signIn(admin.email, 'a harbour at last light'),
      browser.signIn('nobody@mervare.example', 'a harbour at first light'),
    ]);
    const [wrong = '', none = ''] = await Promise.all(answers.map((answer) => answer.text()));
    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(wrong).toContain('This e-mail and this password do not belong together.');
    expect(none.replace('nobody@mervare.example', admin.email)).toBe(wrong);
    expect(browser.cookies.size).toBe(0);
  });

  it('gives a new secret each time, whatever cookie the browser had, and leads nowhere else', async () => {
    const browser = formBrowser(site.origin);
    browser.cookies.set('mervare_session', 'planted');
    for (const next of ['//evil.example/x', 'javascript:alert(1)']) {
      const before = browser.cookies.get('mervare_session');
      const answer = await browser.signIn(member.email, member.password, next);
      expect(answer.headers.get('location')).toBe('/account');
      expect(browser.cookies.get('mervare_session')).not.toBe(before);
    }
    for (const next of [
      'https://evil.example',
      String.raw`/\evil.example`,
      '//evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/%2e//evil.example',
      'data:x',
    ]) {
      const turned = await browser.go(`/login?${new URLSearchParams({ next }).toString()}`);
      expect([turned.status, turned.headers.get('location')]).toEqual([303, '/account']);
    }
    const sessions = site.register.db.selectFrom('session').select('person').where('person', '=', ids.member);
    expect(await sessions.execute()).toHaveLength(1);
  });

  it('takes no U+0000, which nobody types and the database does not keep', async () => {
    const answer = await formBrowser(site.origin).signIn('a\0@mervare.example', 'x');
    expect(answer.status).toBe(400);
    const browser = await signedIn('admin');
    expect((await browser.go('/admin/users?after=%00')).status).toBe(400);
  });

  it('ends with signing out', async () => {
    const browser = await signedIn('member');
    const cookie = browser.cookies.get('mervare_session') ?? '';
    const answer = await browser.submit('/logout', { csrf: await browser.csrf('/account') });
    expect([answer.status, browser.cookies.has('mervare_session')]).toEqual([303, false]);
    browser.cookies.set('mervare_session', cookie);
    expect((await browser.go('/account')).status).toBe(303);
  });

  it('keeps neither passwords nor secrets of sessions', async () => {
    const browser = await signedIn('admin');
    const { db } = site.register;
    const kept = JSON.stringify([
      await db.selectFrom('person').selectAll().execute(),
      await db.selectFrom('session').select(['person', 'csrf']).execute(),
      (await db.selectFrom('session').select('token_hash').execute()).map((row) => row.token_hash.toString()),
    ]);
    expect(kept).toMatch(/scrypt\$/);
    for (const secret of [admin.password, member.password, browser.cookies.get('mervare_session') ?? '?'])
      expect(kept + site.logged.join('')).not.toContain(secret);
  });

  it('refuses forms of other pages and of other sessions', async () => {
    const [ada, ben] = [await signedIn('admin'), await signedIn('member')];
    const csrf = await ada.csrf('/account');
    for (const from of ['https://evil.example', 'null', `${site.origin}.evil.example`])
      expect((await ada.submit('/logout', { csrf }, from)).status).toBe(403);
    expect((await ada.submit('/logout', { csrf: await ben.csrf('/account') })).status).toBe(403);
    expect((await ada.submit('/logout', {})).status).toBe(403);
    expect((await ada.submit('/login', admin, 'https://evil.example')).status).toBe(403);
    expect((await ada.go('/account')).status).toBe(200);
  });
});

describe('MER-27.1 a new password', () => {
  it('needs the current one, ends every other session and keeps this browser signed in', async () => {
    const { db } = site.register;
    const old = 'the password of before';
    const id = await createAccount(
      db,
      { email: 'dora@mervare.example', name: 'Dora', password: old, isSuperAdmin: false },
      { by: { kind: 'test', name: 'test' }, now: Date.now() },
    );
    const [here, there] = [formBrowser(site.origin), formBrowser(site.origin)];
    for (const browser of [here, there])
      browser.cookies.set('mervare_session', await createSession(db, id, Date.now()));
    const csrf = await here.csrf('/account');
    const send = (fields: Record<string, string>) => here.submit('/account/password', { csrf, ...fields });
    expect((await send({ current: 'a guess of mine', password: 'the password of after' })).status).toBe(403);
    expect((await send({ current: old, password: 'short' })).status).toBe(400);
    await sql`update throttle set points = 10 where key like 'password:%'`.execute(db);
    expect((await send({ current: old, password: 'the password of after' })).status).toBe(429);
    await sql`delete from throttle`.execute(db);
    expect(
      (await here.submit('/account/password', { current: old, password: 'the password of after' })).status,
    ).toBe(403);
    expect((await send({ current: old, password: 'the password of after' })).status).toBe(303);
    expect([(await here.go('/account')).status, (await there.go('/account')).status]).toEqual([200, 303]);
    expect(
      (await formBrowser(site.origin).signIn('dora@mervare.example', 'the password of after')).status,
    ).toBe(303);
    const { password } = await db
      .selectFrom('person')
      .select('password')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(password).toMatch(/^scrypt\$32768\$8\$3\$/);
  });
});

describe('MER-27.2 the page of users', () => {
  it('is for super admins', async () => {
    const browser = await signedIn('member');
    const [page, form] = [
      await browser.go('/admin/users'),
      await browser.submit('/admin/users/change', {
        csrf: await browser.csrf('/account'),
        change: 'make_super_admin',
        target: ids.member,
      }),
    ];
    expect([page.status, form.status]).toEqual([403, 403]);
    expect(await page.text()).toContain('This page is for super admins.');
  });

  it('creates a person whose password is shown once and works', async () => {
    const browser = await signedIn('admin');
    const csrf = await browser.csrf('/admin/users');
    const answer = await browser.submit('/admin/users', {
      csrf,
      email: 'Cleo@Mervare.example',
      name: 'Cleo',
    });
    const password = /<code>([\w-]{20})<\/code>/.exec(await answer.text())?.[1] ?? '';
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect((await formBrowser(site.origin).signIn('cleo@mervare.example', password)).status).toBe(303);
    const again = await browser.submit('/admin/users', { csrf, email: 'cleo@mervare.example', name: 'Cleo' });
    expect([again.status, await again.text()]).toEqual([409, expect.stringContaining('already')]);
  });

  it('MER-11.2 MER-28.2 gives and takes builder access, which acts on the next call of the same token', async () => {
    const browser = await signedIn('admin');
    const at = addressOf(builderOnly, site.origin);
    const token = await plantToken(site.register.db, {
      person: ids.member,
      scopes: ['builder'],
      audience: at,
    });
    const csrf = await browser.csrf('/admin/users');
    const granted = async () => {
      const answer = await rpc(at, token, 'tools/call', { name: 'builder_capabilities', arguments: {} });
      const { result } = (await answer.json()) as { result: { structuredContent: { granted: string[] } } };
      return result.structuredContent.granted;
    };
    expect(await granted()).toEqual([]);
    for (const [change, holds] of [
      ['grant_builder', ['builder']],
      ['grant_builder', ['builder']],
      ['withdraw_builder', []],
      ['grant_builder', ['builder']],
    ] as const) {
      const answer = await browser.submit('/admin/users/change', { csrf, change, target: ids.member });
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/admin/users']);
      expect(await granted()).toEqual(holds);
    }
  });

  it('MER-10.4 withdraws and restores a program, on its next call', async () => {
    const browser = await signedIn('admin');
    const csrf = await browser.csrf('/admin/users');
    expect(await (await browser.go('/admin/users')).text()).toContain('Withdraw access: ci');
    const at = addressOf(wide, site.origin);
    const granted = async () => {
      const answer = await rpc(at, ci, 'tools/call', { name: 'builder_capabilities', arguments: {} });
      return ((await answer.json()) as { result: { structuredContent: unknown } }).result.structuredContent;
    };
    expect(await granted()).toMatchObject({ granted: ['builder'] });
    await browser.submit('/admin/users/change', { csrf, change: 'withdraw_agent', target: 'ci' });
    expect(await granted()).toMatchObject({
      granted: [],
      missing: expect.arrayContaining([
        {
          scope: 'builder',
          why: 'The credential carries it, but it no longer counts. A super admin can restore it in /admin/users.',
        },
      ]),
    });
    expect((await listedTools(at, ci)).every((name) => name.startsWith('harbour_'))).toBe(true);
    await browser.submit('/admin/users/change', { csrf, change: 'grant_agent', target: 'ci' });
    expect(await granted()).toMatchObject({ granted: ['builder'] });
  });

  it('ends the session of a person who is disabled, and lets nobody do so to themselves', async () => {
    const [ada, ben] = [await signedIn('admin'), await signedIn('member')];
    const csrf = await ada.csrf('/admin/users');
    const change = (name: string, target: string) =>
      ada.submit('/admin/users/change', { csrf, change: name, target });
    expect((await change('disable', ids.member)).status).toBe(303);
    expect((await ben.go('/account')).status).toBe(303);
    expect((await ben.signIn(member.email, member.password)).status).toBe(401);
    expect((await change('enable', ids.member)).status).toBe(303);
    expect((await ben.signIn(member.email, member.password)).status).toBe(303);
    for (const name of ['disable', 'unmake_super_admin'])
      expect((await change(name, ids.admin)).status).toBe(409);
    for (const [name, target] of [
      ['disable', 'x'],
      ['grant_agent', 'nobody'],
      ['constructor', ids.member],
    ] as const)
      expect((await change(name, target)).status).toBeGreaterThanOrEqual(400);
  });

  it('MER-27.3 records every change: who, as what, whom, when, and nothing else', async () => {
    const rows = await site.register.db
      .selectFrom('audit')
      .select(['credential', 'who', 'person', 'action', 'ids'])
      .where('action', 'like', 'admin.%')
      .orderBy('n')
      .execute();
    const by = { credential: 'page', who: admin.email, person: ids.admin };
    expect(rows).toEqual(
      [
        ['grant_builder', ids.member],
        ['grant_builder', ids.member],
        ['withdraw_builder', ids.member],
        ['grant_builder', ids.member],
        ['withdraw_agent', 'ci'],
        ['grant_agent', 'ci'],
        ['disable', ids.member],
        ['enable', ids.member],
      ].map(([name, id]) => ({ ...by, action: `admin.${name}`, ids: [id] })),
    );
  });
});

describe('MER-27.4 guessing', () => {
  const tryFrom = async (
    network: string,
    { email, password }: typeof admin,
    browser = formBrowser(site.origin),
  ) => {
    const headers = { origin: site.origin, 'x-forwarded-for': network };
    const body = new URLSearchParams({ email, password });
    return (await browser.go('/login', { method: 'POST', headers, body })).status;
  };
  /** As if other nodes had counted so many, for all that was counted here. */
  const count = (name: string, points: number) =>
    sql`update throttle set points = ${points} where key like ${`${name}:%`}`.execute(site.register.db);

  it('is limited in one network, for one account and for all together, over all nodes, with a page that says when to try again', async () => {
    await sql`delete from throttle`.execute(site.register.db);
    const tryWith = (email: string) => formBrowser(site.origin).signIn(email, 'a guess of mine');
    const some = await Promise.all(Array.from({ length: 5 }, () => tryWith('one@mervare.example')));
    expect(some.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    const answer = await tryWith('ONE@mervare.example ');
    expect([answer.status, Number(answer.headers.get('retry-after')) > 0]).toEqual([429, true]);
    expect(await answer.text()).toMatch(/Too many requests; try again in \d+ s\./);
    for (let turn = 0; turn < 15; turn += 1) expect((await tryWith('one@mervare.example')).status).toBe(429);
    expect((await tryWith('another@mervare.example')).status).toBe(401);
    await count('login-network', 20);
    expect((await tryWith('last@mervare.example')).status).toBe(429);
    const kept = await sql`select key from throttle`.execute(site.register.db);
    expect(JSON.stringify(kept.rows)).not.toMatch(/mervare\.example|127\.0\.0\.1/);
  });

  it('MER-27.8 keeps nobody out who is elsewhere, or in a browser that knows the account', async () => {
    await sql`delete from throttle`.execute(site.register.db);
    const [here, elsewhere] = ['198.51.100.1', '203.0.113.9'];
    const [known, stranger] = [formBrowser(site.origin), formBrowser(site.origin)];
    expect(await tryFrom(here, admin, known)).toBe(303);
    expect(await tryFrom(here, member, stranger)).toBe(303);

    await count('login-account-network', 5);
    expect(await tryFrom(here, admin)).toBe(429);
    expect(await tryFrom(here, admin, stranger)).toBe(429);
    expect(await tryFrom(elsewhere, admin)).toBe(303);
    expect(await tryFrom(here, admin, known)).toBe(303);

    expect(await tryFrom(here, { ...admin, password: 'a guess of mine' }, known)).toBe(401);
    await count('login-device', 5);
    expect(await tryFrom(here, admin, known)).toBe(429);
    known.cookies.set('mervare_device', `${'A'.repeat(22)}.${'A'.repeat(43)}`);
    expect(await tryFrom(here, admin, known)).toBe(429);
  });

  it('MER-27.8 from many networks slows an account down and does not lock it; a right password leaves no count', async () => {
    const { db } = site.register;
    await sql`delete from throttle`.execute(db);
    const counted = async () =>
      (await sql<{ points: number }>`select points from throttle where key like 'login-%'`.execute(db)).rows;
    expect(await tryFrom('198.51.100.7', member)).toBe(303);
    expect(await counted()).toEqual([{ points: 0 }, { points: 0 }, { points: 0 }]);
    await count('login-account', 22);
    const began = performance.now();
    expect(await tryFrom('198.51.100.8', member)).toBe(303);
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });

  it('MER-27.4 from everywhere at once is judged two at a time, and thirty wait', async () => {
    const kept = await hashPassword(admin.password, { N: 2 ** 10, r: 8, p: 1 });
    const guesses = Array.from({ length: 40 }, () => isPassword('a guess of mine', kept));
    const heard = (await Promise.allSettled(guesses)).map((one) =>
      one.status === 'fulfilled' ? one.value : (one.reason as { status: number }).status,
    );
    expect(heard).toEqual([...Array<boolean>(32).fill(false), ...Array<number>(8).fill(503)]);
    expect(await isPassword(admin.password, kept)).toBe(true);
  });
});
