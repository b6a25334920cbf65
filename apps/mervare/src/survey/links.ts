import type { Kysely, Transaction } from 'kysely';
import { hashOf, newSecret } from '../people/secret.ts';
import type { SiteTables } from '../tables.ts';

/**
 * Makes an address at which an invitation is answered. It stands in no table, so whoever needs it later, such as a letter, makes another;
 * each works until the invitation is answered, revoked or over.
 */
export async function issueLink(
  tx: Transaction<SiteTables>,
  { invitation, origin }: { readonly invitation: string; readonly origin: string },
): Promise<string> {
  const token = newSecret();
  await tx
    .insertInto('survey_link')
    .values({ token_hash: hashOf(token), invitation, unfinished: null })
    .execute();
  return new URL(`/s/${token}`, origin).href;
}

/** The id of the invitation that a token belongs to; undefined for any other text. */
export async function invitationBehind(db: Kysely<SiteTables>, token: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('survey_link')
    .select('invitation')
    .where('token_hash', '=', hashOf(token))
    .executeTakeFirst();
  return found?.invitation;
}
