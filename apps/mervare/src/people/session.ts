import { timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { sql, type Kysely } from 'kysely';
import { HttpProblem, type EdgeEnv } from '@portolan/http';
import type { SiteTables } from '../tables.ts';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';
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

/**
 * The fields of a form that this session was shown. Throws a 403 for a form of another page or session: what stands in the
 * field `csrf` is compared in constant time.
 */
export async function readForm(
  c: Context<EdgeEnv>,
  { csrf }: Pick<SignedIn, 'csrf'>,
): Promise<Readonly<Record<string, string>>> {
  const fields = await readFields(c);
  if (!timingSafeEqual(hashOf(fields['csrf'] ?? ''), hashOf(csrf))) throw foreignForm();
  return fields;
}

/** The text fields of a form that comes from a page of this site, by the Origin that browsers send with every POST. */
export async function readFields(c: Context<EdgeEnv>): Promise<Readonly<Record<string, string>>> {
  const { host } = c.get('client');
  const origin = c.req.header('origin');
  // By host alone: behind a proxy that is not trusted, nobody here knows the scheme that the browser sees.
  if (origin !== undefined && !(URL.canParse(origin) && new URL(origin).host === host)) throw foreignForm();
  const body = await c.req.parseBody();
  const fields = Object.entries(body).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const odd = fields.find(([, text]) => !isStorable(text));
  if (odd !== undefined) throw new HttpProblem(400, 'invalid_input', `A field ${NOT_STORABLE}.`);
  return Object.fromEntries(fields);
}

function foreignForm(): HttpProblem {
  return new HttpProblem(403, 'forbidden', 'This form is not of your session. Load its page again.');
}
