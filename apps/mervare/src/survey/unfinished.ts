import { sql, type Kysely, type Transaction } from 'kysely';
import { seal, unseal } from '../chat/seal.ts';
import { hashOf } from '../people/secret.ts';
import type { SiteTables } from '../tables.ts';
import type { EditionKey } from './editions.ts';
import type { Typed } from './typed.ts';

/** What the key of a half-finished answer is for. */
const SEALED = 'unfinished answer';

/** What was half finished under this link, as it was typed. */
export async function readUnfinished(db: Kysely<SiteTables>, token: string): Promise<Typed> {
  const found = await db
    .selectFrom('survey_link')
    .select('unfinished')
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst();
  if (!found?.unfinished) return new Map();
  return new Map(JSON.parse(unseal(token, found.unfinished, SEALED)) as [string, string[]][]);
}

/** Keeps what is half finished, in place of what was, so that only who has the link can read it. */
export async function keepUnfinished(
  tx: Transaction<SiteTables>,
  token: string,
  typed: Typed,
): Promise<void> {
  const unfinished = seal(token, JSON.stringify([...typed]), SEALED);
  await tx.updateTable('survey_link').set({ unfinished }).where('token_hash', '=', hashOf(token)).execute();
}

/** Lets go what was half finished behind an invitation. */
export async function forgetUnfinished(tx: Transaction<SiteTables>, invitation: string): Promise<void> {
  await tx
    .updateTable('survey_link')
    .set({ unfinished: null })
    .where('invitation', '=', invitation)
    .execute();
}

/** The same for everybody who was invited to an edition. */
export async function forgetAllUnfinished(
  tx: Transaction<SiteTables>,
  { survey, edition }: EditionKey,
): Promise<void> {
  await sql`update survey_link set unfinished = null where unfinished is not null and invitation in (
    select id from survey_invitation where survey = ${survey} and edition = ${edition})`.execute(tx);
}
