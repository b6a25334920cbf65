import { Refusal } from '@portolan/mcp/tool';
import { newId } from '@portolan/store';
import { sql, type Kysely, type SqlBool, type Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { readEdition, type EditionKey } from './editions.ts';

/** How far an invitation is, as far as this site can see. */
export const INVITATION_STATES = ['unopened', 'opened', 'answered', 'revoked', 'expired'] as const;
export type InvitationState = (typeof INVITATION_STATES)[number];

/** What is known when somebody is asked. */
export interface InvitationText extends EditionKey {
  readonly name: string | null;
  readonly email: string | null;
  /** BCP 47, of letters to them. */
  readonly language: string;
  readonly context: string | null;
  readonly batch: string | null;
  readonly expiresAt: Date | null;
}

/** One person's invitation to answer an edition, without its links. */
export interface Invitation extends InvitationText {
  readonly id: string;
  readonly state: InvitationState;
  readonly by: string;
  readonly at: Date;
  readonly revokedAt: Date | null;
}

const columns = [
  'id',
  'survey',
  'edition',
  'name',
  'email',
  'language',
  'context',
  'batch',
  'by',
  'at',
  'expires_at as expiresAt',
  'revoked_at as revokedAt',
] as const;

/** The state of a row at this moment. What was answered stays so, also past its time. */
const stateAt = (now: number) =>
  sql<InvitationState>`case when answered then 'answered' when revoked_at is not null then 'revoked'
    when expires_at <= ${new Date(now)} then 'expired' when opened then 'opened' else 'unopened' end`;

/** Invites somebody to an edition that is published or paused; a Refusal for any other. It has no link until `issueLink` makes one. */
export async function createInvitation(
  tx: Transaction<SiteTables>,
  by: string,
  { expiresAt, ...text }: InvitationText,
  now: number,
): Promise<Invitation> {
  const { state } = await readEdition(tx, text);
  if (state === 'draft' || state === 'closed')
    throw new Refusal('conflict', `The edition is ${state}: only a published one takes invitations.`, {
      state,
    });
  if (expiresAt !== null && expiresAt.getTime() <= now)
    throw new Refusal('invalid_input', 'expiresAt must lie in the future.');
  const id = newId(now);
  await tx
    .insertInto('survey_invitation')
    .values({ ...text, id, by, at: new Date(now), expires_at: expiresAt, revoked_at: null })
    .execute();
  return readInvitation(tx, id, now);
}

/** One invitation. Throws a Refusal where there is none. */
export async function readInvitation(db: Kysely<SiteTables>, id: string, now: number): Promise<Invitation> {
  const [found] = await readInvitations(db, [id], now);
  if (found) return found;
  throw new Refusal('not_found', 'There is no such invitation. Find ids with survey_invitation_list.');
}

/** Those of these invitations that exist, by age. */
export function readInvitations(
  db: Kysely<SiteTables>,
  ids: readonly string[],
  now: number,
): Promise<Invitation[]> {
  return db
    .selectFrom('survey_invitation')
    .select([...columns, stateAt(now).as('state')])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .execute();
}

/** Which invitations are asked for. */
export interface InvitationsAsked {
  readonly survey: string;
  readonly state?: InvitationState | undefined;
}

/** The invitations to a survey, the newest first. */
export function listInvitations(
  db: Kysely<SiteTables>,
  asked: InvitationsAsked,
  paging: Paging,
  now: number,
): Promise<Page<Invitation>> {
  const { survey, state } = asked;
  return newestFirst(paging, 'invitations', asked, (limit, before) =>
    db
      .selectFrom('survey_invitation')
      .select([...columns, stateAt(now).as('state')])
      .where('survey', '=', survey)
      .$if(state !== undefined, (all) => all.where(sql<SqlBool>`${stateAt(now)} = ${state}`))
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}

/** An invitation that nobody else changes until the transaction ends. */
export async function holdInvitation(
  tx: Transaction<SiteTables>,
  id: string,
  now: number,
): Promise<Invitation> {
  await tx.selectFrom('survey_invitation').select('id').where('id', '=', id).forUpdate().execute();
  return readInvitation(tx, id, now);
}
