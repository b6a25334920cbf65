import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { sql, type Kysely } from 'kysely';
import { HttpProblem, type EdgeEnv } from '@portolan/http';
import type { Actor } from '../audit/audit.ts';
import type { SiteTables } from '../tables.ts';
import { personColumns, type Person } from './person.ts';
import { hashOf, newSecret } from './secret.ts';

/** Somebody who has signed in, as this request shows. */
export interface SignedIn {
  readonly person: Person;
  /** Goes into every form that is shown, as the field `csrf`. */
  readonly csrf: string;
  /** What the session is kept under. */
  readonly session: Buffer;
}

const NAME = 'mervare_session';

/** How long a session lasts, in milliseconds. */
const LASTS_MS = 12 * 3_600_000;

/** Whoever is signed in in this browser: one question, and the rights are those of now. */
export async function currentPerson(
  c: Context<EdgeEnv>,
  db: Kysely<SiteTables>,
  now: number,
): Promise<SignedIn | undefined> {
  const cookie = getCookie(c, NAME);
  if (cookie === undefined) return undefined;
  const session = hashOf(cookie);
  const { rows } = await sql<Person & { csrf: string }>`
    select session.csrf, ${personColumns} from session join person on person.id = session.person
    where session.token_hash = ${session} and session.expires_at > ${new Date(now)}
      and person.disabled_at is null`.execute(db);
  const [row] = rows;
  if (!row) return undefined;
  const { csrf, ...person } = row;
  return { person, csrf, session };
}

/** Whoever is signed in. Nobody is: throws `SignInFirst`. */
export async function requirePerson(
  c: Context<EdgeEnv>,
  db: Kysely<SiteTables>,
  now: number,
): Promise<SignedIn> {
  const signedIn = await currentPerson(c, db, now);
  if (signedIn) return signedIn;
  const { pathname, search } = new URL(c.req.url);
  throw new SignInFirst(c.req.method === 'GET' ? `${pathname}${search}` : '/');
}

/** The super admin who is signed in. Throws a 403 for anybody else, and `SignInFirst` for nobody. */
export async function requireSuperAdmin(
  c: Context<EdgeEnv>,
  db: Kysely<SiteTables>,
  now: number,
): Promise<SignedIn> {
  const signedIn = await requirePerson(c, db, now);
  if (signedIn.person.isSuperAdmin) return signedIn;
  throw new HttpProblem(403, 'forbidden', 'This page is for super admins.');
}

/** A person on a page, for the audit trail. */
export function onPage({ person }: SignedIn): Actor {
  return { kind: 'page', name: person.email, person: person.id };
}

/** Nobody is signed in where somebody must be: answered with the way to the sign-in page, and from there back. */
export class SignInFirst extends HttpProblem {
  /** @param next path to come back to */
  constructor(next: string) {
    const location = `/login?${new URLSearchParams({ next }).toString()}`;
    super(303, 'sign_in_first', 'Sign in first.', { location });
  }
}

/** Begins a session in this browser under a new secret, whatever cookie it came with, and ends the one that it may have had. */
export async function beginSession(
  c: Context<EdgeEnv>,
  db: Kysely<SiteTables>,
  person: string,
  now: number,
): Promise<void> {
  await endSession(c, db);
  setCookie(c, NAME, await createSession(db, person, now), {
    httpOnly: true,
    sameSite: 'Lax',
    secure: c.get('client').scheme === 'https',
    path: '/',
    maxAge: LASTS_MS / 1000,
  });
}

/** Makes a session and lets those go that have expired. The secret is in this answer only. */
export async function createSession(db: Kysely<SiteTables>, person: string, now: number): Promise<string> {
  const secret = newSecret();
  await db.deleteFrom('session').where('expires_at', '<=', new Date(now)).execute();
  await db
    .insertInto('session')
    .values({ token_hash: hashOf(secret), person, csrf: newSecret(), expires_at: new Date(now + LASTS_MS) })
    .execute();
  return secret;
}

/** Ends this browser's session, and every visitor's token that was made in it. */
export async function endSession(c: Context<EdgeEnv>, db: Kysely<SiteTables>): Promise<void> {
  const cookie = getCookie(c, NAME);
  if (cookie === undefined) return;
  await db.deleteFrom('session').where('token_hash', '=', hashOf(cookie)).execute();
  deleteCookie(c, NAME, { path: '/' });
}
