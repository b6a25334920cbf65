import { createHash, randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { decide, signIn, type Account } from './approve.ts';
import type { Browser } from './browser.ts';
import { plantPerson } from './people.ts';
import { testSite } from './site.ts';

export const REDIRECT = 'http://127.0.0.1:33418/callback';

type Metadata = Readonly<Record<string, unknown>>;
type Fields = Readonly<Record<string, string | undefined>>;

/** What a token endpoint gives. */
export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: string;
  readonly expires_in: number;
  readonly scope: string;
}

/** Registers a client; its id. */
export async function registerClient(origin: string, metadata: Metadata = {}): Promise<string> {
  const response = await register(origin, {
    client_name: 'A test client',
    redirect_uris: [REDIRECT],
    grant_types: ['authorization_code', 'refresh_token'],
    ...metadata,
  });
  if (response.status !== 201) throw new Error(`Not registered: ${await response.text()}`);
  return ((await response.json()) as { client_id: string }).client_id;
}

export function register(origin: string, body: unknown): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return fetch(`${origin}/api/oauth/register`, { method: 'POST', body: text });
}

/** An authorization request and the verifier that redeems its code. A parameter that is undefined is left out. */
export function authorization(origin: string, client: string, parameters: Fields = {}) {
  const verifier = randomBytes(32).toString('base64url');
  const url = new URL('/api/oauth/authorize', origin);
  const all = {
    response_type: 'code',
    client_id: client,
    redirect_uri: REDIRECT,
    state: 'a-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${origin}/api/mcp`,
    ...parameters,
  };
  for (const [name, value] of Object.entries(all))
    if (value !== undefined) url.searchParams.append(name, value);
  return { url, verifier };
}

/** Posts to the token endpoint. */
export function askForToken(origin: string, parameters: Fields): Promise<Response> {
  const given = Object.entries(parameters).filter((one): one is [string, string] => one[1] !== undefined);
  return fetch(`${origin}/api/oauth/token`, { method: 'POST', body: new URLSearchParams(given) });
}

/** Redeems a code. */
export function redeem(
  origin: string,
  client: string,
  { callback, verifier }: { readonly callback: URL; readonly verifier: string },
  other: Fields = {},
): Promise<Response> {
  return askForToken(origin, {
    grant_type: 'authorization_code',
    client_id: client,
    code: callback.searchParams.get('code') ?? '',
    redirect_uri: REDIRECT,
    code_verifier: verifier,
    ...other,
  });
}

export function refresh(origin: string, client: string, token: string, other: Fields = {}) {
  return askForToken(origin, {
    grant_type: 'refresh_token',
    client_id: client,
    refresh_token: token,
    ...other,
  });
}

/** What a client holds after a person has allowed it. */
export async function connect(
  origin: string,
  person: Browser,
  parameters: Fields = {},
): Promise<{ readonly client: string; readonly tokens: Tokens }> {
  const client = parameters['client_id'] ?? (await registerClient(origin));
  const { url, verifier } = authorization(origin, client, parameters);
  const { callback } = await decide(person, url);
  const response = await redeem(origin, client, { callback, verifier });
  if (response.status !== 200) throw new Error(`No token: ${await response.text()}`);
  return { client, tokens: (await response.json()) as Tokens };
}

interface Wanted {
  readonly email: string;
  readonly isSuperAdmin: boolean;
  readonly isBuilder: boolean;
}

/** People of the tests. */
const people = {
  admin: { email: 'admin@example.com', isSuperAdmin: true, isBuilder: false },
  builder: { email: 'builder@example.com', isSuperAdmin: false, isBuilder: true },
  member: { email: 'member@example.com', isSuperAdmin: false, isBuilder: false },
} as const;

/** The site with people who can sign in, each made when first asked for, and a clock that can be moved. */
export async function oauthSite(...[registry, variables, world]: Parameters<typeof testSite>) {
  const clock = { ahead: 0 };
  const site = await testSite(registry, variables, { now: () => Date.now() + clock.ahead, ...world });
  const { db } = site.register;
  const accounts = new Map<string, Promise<Account>>();
  const browsers = new Map<string, Promise<Browser>>();
  const accountOf = (who: keyof typeof people) => once(accounts, who, () => account(db, people[who]));
  const as = (who: keyof typeof people) =>
    once(browsers, who, async () => signIn(site.origin, await accountOf(who)));
  return { ...site, clock, accountOf, as, db };
}

function once<T>(made: Map<string, T>, name: string, make: () => T): T {
  const value = made.get(name) ?? make();
  made.set(name, value);
  return value;
}

/** Makes somebody who can sign in. */
export async function account(
  db: Kysely<SiteTables>,
  { email, isSuperAdmin, isBuilder }: Wanted,
): Promise<Account> {
  const password = randomBytes(12).toString('hex');
  await plantPerson(db, { email, superAdmin: isSuperAdmin, builder: isBuilder, password });
  return { email, password };
}
