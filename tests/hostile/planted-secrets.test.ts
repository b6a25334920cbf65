import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore } from '@portolan/store';
import { testDatabase } from '@portolan/store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../../apps/mervare/src/migrations.ts';
import { createAccount } from '../../apps/mervare/src/people/accounts.ts';
import type { SiteTables } from '../../apps/mervare/src/tables.ts';
import { decide, signIn } from '../../apps/mervare/src/testing/approve.ts';
import { start } from '../../apps/mervare/src/testing/command.ts';
import { formBrowser } from '../../apps/mervare/src/testing/forms.ts';
import {
  askForToken,
  authorization,
  redeem,
  refresh,
  register,
  registerClient,
  type Tokens,
} from '../../apps/mervare/src/testing/oauth.ts';
import { rpc } from '../../apps/mervare/src/testing/rpc.ts';

/** A value that occurs nowhere by chance. */
const planted = (name: string) => `${name}-${randomBytes(24).toString('hex')}`;

/** What is given to the site, or by it, and is for nobody else. */
const secrets = new Map<string, string>();
function secret(name: string, value = planted(name)): string {
  secrets.set(name, value);
  return value;
}

const admin = { email: 'admin@localhost', password: secret('password') };
const other = { email: 'other@example.com', password: planted('unrelated') };

let folder: string;
let database: Awaited<ReturnType<typeof testDatabase>>;
let store: Awaited<ReturnType<typeof openStore<SiteTables>>>;
let site: ReturnType<typeof start>;
let origin: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planted-'));
  database = await testDatabase({ app: 'mervare', migrations });
  store = await openStore<SiteTables>({ app: 'mervare', migrations, url: database.url, dataDir: '' });
  site = start(['serve', '--port', '0'], {
    MERVARE_DATA: folder,
    DATABASE_URL: database.url,
    MERVARE_ADMIN_PASSWORD: admin.password,
    MERVARE_SECRET: secret('site'),
    LOGBOOK_TOKEN: secret('logbook'),
    SURVEY_AGENT_TOKENS: `surveyor:reader:${secret('survey')}`,
    BUILDER_AGENT_TOKENS: `ci:builder:${secret('builder')}`,
    AGENT_CONTROL_TOKENS: `agent:control:${secret('control')}`,
  });
  origin = String((await site.logged('ready'))['origin']);
  const hand = { by: { kind: 'test', name: 'test' }, now: Date.now() };
  await createAccount(store.db, { ...other, name: 'Other', isSuperAdmin: true }, hand);
});
afterAll(async () => {
  site.child.kill('SIGTERM');
  await site.ended;
  await store.close();
  await database.drop();
  await rm(folder, { recursive: true });
});

const wide = () => `${origin}/api/mcp`;

/** What was answered where something went wrong, and what was answered to somebody else. */
const shown: string[] = [];
async function keep(response: Promise<Response>): Promise<number> {
  const { status, headers } = await response;
  shown.push([status, JSON.stringify([...headers]), await (await response).text()].join('\n'));
  return status;
}

/** One person's way through everything that takes or gives a secret, with every mistake on it. */
async function connect(): Promise<Tokens> {
  const client = await registerClient(origin);
  const browser = await signIn(origin, admin);
  const { url, verifier } = authorization(origin, client, { state: secret('state') });
  secret('verifier', verifier);
  const { callback } = await decide(browser, url);
  secret('code', callback.searchParams.get('code') ?? '');
  await keep(redeem(origin, client, { callback, verifier: secret('wrong verifier') }));
  const again = authorization(origin, client);
  const decided = await decide(browser, again.url);
  const got = (await (await redeem(origin, client, { ...decided, ...again })).json()) as Tokens;
  await keep(redeem(origin, client, { ...decided, ...again }));

  const third = authorization(origin, client);
  const last = await decide(browser, third.url);
  const tokens = (await (await redeem(origin, client, { ...last, ...third })).json()) as Tokens;
  secret('ended access token', got.access_token);
  secret('ended refresh token', got.refresh_token);
  secret('access token', tokens.access_token);
  secret('refresh token', tokens.refresh_token);
  await keep(refresh(origin, client, got.refresh_token));
  await keep(refresh(origin, await registerClient(origin), tokens.refresh_token));
  return tokens;
}

/** Secrets where none belongs: in queries, bodies, headers of other kinds, paths and arguments. */
async function misplace(token: string): Promise<void> {
  const client_secret = secret('client secret');
  await keep(register(origin, { redirect_uris: ['http://127.0.0.1/'], client_secret }));
  const client = await registerClient(origin);
  await keep(
    askForToken(origin, {
      grant_type: 'refresh_token',
      client_id: client,
      client_secret,
      refresh_token: client_secret,
    }),
  );
  const basic = Buffer.from(`${client}:${client_secret}`).toString('base64');
  secret('basic credentials', basic);
  await keep(
    fetch(`${origin}/api/oauth/token`, { method: 'POST', headers: { authorization: `Basic ${basic}` } }),
  );
  await keep(rpc(`${wide()}?access_token=${token}`, undefined, 'tools/list'));
  await keep(rpc(wide(), `${token} ${token}`, 'tools/list'));
  await keep(rpc(wide(), secret('unknown token'), 'tools/list'));
  await keep(rpc(`${wide()}/builder`, token, 'tools/list'));
  await keep(rpc(`${wide()}/discovery`, token, 'tools/list'));
  await keep(
    rpc(wide(), token, 'tools/call', { name: 'harbour_get', arguments: { slug: secret('argument') } }),
  );
  await keep(fetch(`${origin}/${secret('path')}`));
  await keep(
    fetch(`${origin}/login`, {
      method: 'POST',
      headers: { origin },
      body: new URLSearchParams({ email: admin.email, password: secret('mistyped password') }),
    }),
  );
  await keep(
    fetch(`${origin}/api/logbook`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: token,
    }),
  );
}

/** Calls a tool; its structured answer. */
async function ask<Answer>(token: string, name: string, input: object): Promise<Answer> {
  const response = await rpc(wide(), token, 'tools/call', { name, arguments: input });
  const { result } = (await response.json()) as { result: { structuredContent: Answer } };
  return result.structuredContent;
}

/** Has the database fail under requests that carry secrets, so that errors are logged; the statuses. */
async function breakUnder(token: string): Promise<number[]> {
  const away = async (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.id(to)}`.execute(store.db);
  await away('oauth_access_token', 'away');
  const called = await keep(rpc(wide(), token, 'tools/list'));
  await away('away', 'oauth_access_token');
  await away('session', 'away');
  const cookie = secrets.get('cookie') ?? '';
  const asked = await keep(fetch(`${origin}/account`, { headers: { cookie } }));
  const form = { method: 'POST', headers: { origin }, body: new URLSearchParams(admin) };
  const signedIn = await keep(fetch(`${origin}/login`, form));
  await away('away', 'session');
  return [called, asked, signedIn];
}

/** What somebody else is shown who may see everything that there is to see. */
async function lookAround(workspaceId: string): Promise<void> {
  const person = formBrowser(origin);
  await person.signIn(other.email, other.password);
  const pages = [
    '/',
    '/harbours',
    '/developers/mcp',
    '/account',
    '/account/connections',
    '/admin/users',
    '/admin/clients',
  ];
  const documents = [
    '/metrics',
    '/health',
    '/ready',
    '/.well-known/oauth-authorization-server',
    '/api/oauth/jwks',
  ];
  for (const path of [...pages, ...documents]) await keep(person.go(path));
  const client = await registerClient(origin);
  const asked = authorization(origin, client);
  const { callback } = await decide(await signIn(origin, other), asked.url);
  const { access_token } = (await (await redeem(origin, client, { callback, ...asked })).json()) as Tokens;
  const tools: [string, object][] = [
    ['survey_capabilities', {}],
    ['funding_collaborator_grant_list', { workspaceId }],
    ['funding_audit_list', {}],
    ['funding_changes_since', {}],
    ['agent_event_list', {}],
    ['agent_state_overview', {}],
  ];
  for (const [name, input] of tools)
    await keep(rpc(wide(), access_token, 'tools/call', { name, arguments: input }));
}

describe('secrets of one caller', () => {
  it('MER-12.3 stand in no line of the log, and in nothing that anybody else is shown', async () => {
    const { access_token: token } = await connect();
    const person = formBrowser(origin);
    await person.signIn(admin.email, admin.password);
    secret('cookie', [...person.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
    for (const [name, value] of person.cookies) secret(`cookie ${name}`, value);
    const workspace = await ask<{ id: string }>(token, 'funding_workspace_create', {
      name: 'Quays',
      purpose: 'Repairs',
    });
    const grant = await ask<{ secret: string }>(token, 'funding_collaborator_grant_create', {
      workspaceId: workspace.id,
      name: 'Scout',
      role: 'agent',
    });
    secret('funding credential', grant.secret);
    for (const name of ['survey', 'builder', 'control', 'funding credential'])
      expect([name, (await rpc(wide(), secrets.get(name), 'tools/list')).status]).toEqual([name, 200]);
    await misplace(token);
    expect(await breakUnder(token)).toEqual([500, 500, 500]);
    await lookAround(workspace.id);
    site.child.kill('SIGTERM');
    const { out, err } = await site.ended;

    const log = [...out, ...err].join('\n');
    // The log is one of this journey, and its errors are among it.
    expect(log.split('"tool":"funding_collaborator_grant_create"')).toHaveLength(2);
    expect(log.split('"level":"error"').length).toBeGreaterThan(3);
    expect(shown.length).toBeGreaterThan(30);
    for (const [name, value] of secrets) {
      expect(value.length, name).toBeGreaterThan(15);
      for (const form of formsOf(value)) {
        expect(log.includes(form), `${name} in the log`).toBe(false);
        expect(
          shown.filter((text) => text.includes(form)),
          name,
        ).toEqual([]);
      }
    }
  });
});

/** As it is, and as it might be written. */
function formsOf(value: string): string[] {
  const hash = createHash('sha256').update(value).digest();
  return [
    value,
    encodeURIComponent(value),
    Buffer.from(value).toString('base64'),
    hash.toString('hex'),
    hash.toString('base64'),
  ];
}
