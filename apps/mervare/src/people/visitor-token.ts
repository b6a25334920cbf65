import type { Kysely } from 'kysely';
import type { Scope } from '../mcp/vocabulary.ts';
import type { SiteTables } from '../tables.ts';
import { scopesHeldBy } from './holdings.ts';
import { hashOf, newSecret } from './secret.ts';
import type { SignedIn } from './session.ts';

/** How the bearers of visitors' chats begin, so that whoever finds one knows what it is. */
export const VISITOR_PREFIX = 'mv_';

/** A chat holds nothing that queues code, steers agents or moves money, whoever is behind it. */
const never: readonly Scope[] = ['builder', 'control', 'funding'];

interface Wanted {
  readonly audience: string;
  /** Seconds that it lives, unless its session ends first. */
  readonly ttl: number;
  /** Epoch milliseconds. */
  readonly now: number;
}

/** Makes a bearer for the chat of a signed-in person, and lets those go that have expired. */
export async function issueVisitorToken(
  db: Kysely<SiteTables>,
  { person, session }: Pick<SignedIn, 'person' | 'session'>,
  { audience, ttl, now }: Wanted,
): Promise<string> {
  const token = newSecret(VISITOR_PREFIX);
  await db.deleteFrom('visitor_token').where('expires_at', '<=', new Date(now)).execute();
  await db
    .insertInto('visitor_token')
    .values({
      token_hash: hashOf(token),
      person: person.id,
      session,
      audience,
      scopes: scopesHeldBy(person).filter((scope) => !never.includes(scope)),
      expires_at: new Date(now + ttl * 1000),
      embed_token: null,
    })
    .execute();
  return token;
}

/** Ends a bearer that is not needed. */
export async function dropVisitorToken(db: Kysely<SiteTables>, token: string): Promise<void> {
  await db.deleteFrom('visitor_token').where('token_hash', '=', hashOf(token)).execute();
}

/** Keeps, sealed, the embed token that was minted for a bearer, so that signing out can end it. */
export async function keepEmbedToken(
  db: Kysely<SiteTables>,
  token: string,
  embed_token: Buffer,
): Promise<void> {
  await db
    .updateTable('visitor_token')
    .set({ embed_token })
    .where('token_hash', '=', hashOf(token))
    .execute();
}

/** The sealed embed tokens of a session's last chats. */
export async function embedTokensOf(db: Kysely<SiteTables>, session: Buffer): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('visitor_token')
    .select('embed_token')
    .where('session', '=', session)
    .orderBy('expires_at', 'desc')
    .limit(20)
    .execute();
  return rows.flatMap(({ embed_token }) => embed_token ?? []);
}
