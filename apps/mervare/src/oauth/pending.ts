import { sql, type Kysely } from 'kysely';
import { hashOf } from '../people/secret.ts';
import type { SiteTables } from '../tables.ts';
import type { Keeping } from './keeping.ts';

/** The kind of authorization requests that wait for a person. Anybody makes them, without a credential. */
export const PENDING = 'Interaction';

/** How many wait at most, over all nodes: some 20 MB. */
const MOST = 10_000;

/** How far somebody has come with a request: their browser to the page of the consent, or they themselves, signed in. */
const ranks = { returned: 1, signedIn: 2 } as const;

/** Notes that somebody has come so far with the request of this id. */
export async function comeTo(
  { db }: Pick<Keeping, 'db'>,
  id: string,
  stage: keyof typeof ranks,
): Promise<void> {
  const rank = ranks[stage];
  await db
    .updateTable('oauth_artifact')
    .set({ rank })
    .where('kind', '=', PENDING)
    .where('id_hash', '=', hashOf(id))
    .where('rank', '<', rank)
    .execute();
}

/**
 * Where too many wait, lets those go with which nobody came so far, the oldest first: a flood from however many networks pushes
 * out nobody who has signed in, and nobody on the way there while it only begins requests. Whose client it is says nothing:
 * whoever floods may name any, and would push out the people who are just about to allow that one.
 */
export async function dropSurplus(db: Kysely<SiteTables>): Promise<void> {
  const kind = sql.lit(PENDING);
  await sql`delete from oauth_artifact where kind = ${kind} and (rank, expires_at) <= (
    select rank, expires_at from oauth_artifact where kind = ${kind}
    order by rank desc, expires_at desc offset ${MOST} limit 1)`.execute(db);
}
