import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import type { EditionKey } from './editions.ts';

/** Whoever else invites to this survey waits until the transaction ends, and sees whom it invited. */
export async function holdInviting(tx: Transaction<SiteTables>, survey: string): Promise<void> {
  await tx.selectFrom('survey').select('id').where('id', '=', survey).forUpdate().execute();
}

/** Throws a Refusal where the addressee has an invitation to the edition. Nobody else invites to the survey until the transaction ends. */
export async function requireUninvited(
  tx: Transaction<SiteTables>,
  key: EditionKey,
  email: string,
  now: number,
): Promise<void> {
  await holdInviting(tx, key.survey);
  const [invitationId] = (await invitedAlready(tx, key, [email], now)).values();
  if (invitationId !== undefined)
    throw new Refusal(
      'conflict',
      'The addressee has an invitation to this edition: send or revoke that one.',
      { invitationId },
    );
}

/** Who of these addressees has an invitation to the edition that is not revoked or over: its id by the address in lower case. */
export async function invitedAlready(
  db: Kysely<SiteTables>,
  { survey, edition }: EditionKey,
  addressees: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, string>> {
  const lower = addressees.map((one) => one.toLowerCase());
  const { rows } = await sql<{ id: string; email: string }>`
    select id, lower(email) as email from survey_invitation
    where survey = ${survey} and edition = ${edition} and lower(email) = any(${lower}::text[])
      and revoked_at is null and (answered or expires_at is null or expires_at > ${new Date(now)})`.execute(
    db,
  );
  return new Map(rows.map(({ id, email }) => [email, id]));
}
