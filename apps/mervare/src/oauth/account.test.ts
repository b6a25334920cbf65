import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, type Browser } from '../testing/browser.ts';
import { connect, oauthSite, refresh, registerClient } from '../testing/oauth.ts';
import { rpc } from '../testing/rpc.ts';
import { sweepOauth } from './clients.ts';

let site: Awaited<ReturnType<typeof oauthSite>>;
beforeAll(async () => {
  site = await oauthSite();
});
afterAll(() => site.close());

const works = async (token: string) => (await rpc(`${site.origin}/api/mcp`, token, 'tools/list')).status;

/** The connections that a person sees: names and the ids that the forms carry. */
async function seen(person: Browser) {
  const { text } = await person.go('/account/connections');
  return {
    csrf: /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '',
    names: [...text.matchAll(/<h2 class="claimed">([^<]*)<\/h2>/g)].map(([, name]) => name),
    ids: [...text.matchAll(/name="connection" value="([^"]+)"/g)].map(([, id = '']) => id),
    text,
  };
}

const end = (person: Browser, fields: Record<string, string>, origin = site.origin) =>
  person.go('/account/connections', {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams(fields),
  });

it('MER-26.1 a person sees what each client was allowed, where and when, and nobody else’s', async () => {
  const member = await site.as('member');
  expect((await seen(member)).text).toContain('No client is connected.');
  const client_id = await registerClient(site.origin, { client_name: 'My <b>editor</b>' });
  await connect(site.origin, member, { client_id });
  const { names, text } = await seen(member);
  expect(names).toEqual(['My &lt;b&gt;editor&lt;/b&gt;']);
  expect(text).toContain(`<code>${site.origin}/api/mcp</code> with <code>discovery</code>`);
  expect(text).toMatch(/Allowed \d{4}-\d\d-\d\d \d\d:\d\d UTC, last used/);
  expect((await seen(await site.as('admin'))).names).toEqual([]);
});

it('MER-26.2 a connection that its person ends is dead with the next call, and is audited; the others live on', async () => {
  const builder = await site.as('builder');
  const kept = await connect(site.origin, builder);
  const ended = await connect(site.origin, builder);
  expect([await works(kept.tokens.access_token), await works(ended.tokens.access_token)]).toEqual([200, 200]);
  const { csrf, ids } = await seen(builder);
  const [newest = ''] = ids;
  const page = await end(builder, { csrf, connection: newest });
  expect([page.url.pathname, page.status]).toEqual(['/account/connections', 200]);
  expect([await works(kept.tokens.access_token), await works(ended.tokens.access_token)]).toEqual([200, 401]);
  expect((await refresh(site.origin, ended.client, ended.tokens.refresh_token)).status).toBe(400);
  expect((await refresh(site.origin, kept.client, kept.tokens.refresh_token)).status).toBe(200);
  expect((await seen(builder)).ids).toEqual(ids.slice(1));
  const rows = await site.db
    .selectFrom('audit')
    .select(['who', 'ids'])
    .where('action', '=', 'account.connection_end')
    .execute();
  expect(rows).toEqual([{ who: 'builder@example.com', ids: [newest] }]);
});

it('MER-26.2 a connection lives on where its end cannot be audited', async () => {
  const builder = await site.as('builder');
  const { tokens } = await connect(site.origin, builder);
  const { csrf, ids } = await seen(builder);
  const [connection = ''] = ids;
  await sql`alter table audit rename to away`.execute(site.db);
  try {
    expect((await end(builder, { csrf, connection })).status).toBe(500);
  } finally {
    await sql`alter table away rename to audit`.execute(site.db);
  }
  expect([await works(tokens.access_token), (await seen(builder)).ids]).toEqual([200, ids]);
});

it('MER-26.3 nobody ends what belongs to another, and no page but ours ends anything', async () => {
  const admin = await site.as('admin');
  const { tokens } = await connect(site.origin, admin);
  const mine = await seen(admin);
  const [connection = ''] = mine.ids;
  const member = await site.as('member');
  await end(member, { csrf: (await seen(member)).csrf, connection });
  expect((await end(admin, { csrf: mine.csrf, connection }, 'https://evil.test')).status).toBe(403);
  expect((await end(admin, { csrf: 'wrong', connection })).status).toBe(403);
  expect(await works(tokens.access_token)).toBe(200);
  const nobody = openBrowser(site.origin);
  for (const path of ['/account/connections', '/admin/clients'])
    expect((await nobody.go(path)).url.pathname).toBe('/login');
});

it('MER-26.4 what has ended by itself is not shown, and the sweep removes it', async () => {
  const member = await site.as('member');
  await connect(site.origin, member);
  const sweep = (days: number) => sweepOauth({ db: site.db, now: () => Date.now() + days * 86_400_000 });
  const count = async () => (await site.db.selectFrom('oauth_grant').select('id').execute()).length;
  const before = await count();
  await sweep(29);
  expect(await count()).toBe(before);
  await sweep(31);
  expect(await count()).toBe(0);
  expect((await seen(member)).ids).toEqual([]);
  for (const table of ['oauth_artifact', 'oauth_access_token'] as const)
    expect(await site.db.selectFrom(table).selectAll().execute()).toEqual([]);
});
