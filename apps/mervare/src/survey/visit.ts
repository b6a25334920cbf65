import type { Kysely, Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { readEdition, type Edition } from './editions.ts';
import { holdInvitation, readInvitation, type Invitation } from './invitations.ts';
import { invitationBehind } from './links.ts';

/** Whether a link takes an answer now, and why not. */
export type Standing = 'open' | 'paused' | 'closed' | 'answered' | 'revoked' | 'expired';

/** What somebody finds behind a link. */
export interface Visit {
  readonly standing: Standing;
  readonly edition: Edition;
  readonly invitation: Pick<Invitation, 'id'>;
}

/** What is behind a link now; undefined for an address that is none. */
export async function findVisit(
  db: Kysely<SiteTables>,
  token: string,
  now: number,
): Promise<Visit | undefined> {
  const id = await invitationBehind(db, token);
  return id === undefined ? undefined : visitOf(db, await readInvitation(db, id, now));
}

/** The same, which stays so until the transaction ends. */
export async function holdVisit(
  tx: Transaction<SiteTables>,
  token: string,
  now: number,
): Promise<Visit | undefined> {
  const id = await invitationBehind(tx, token);
  if (id === undefined) return undefined;
  const invitation = await holdInvitation(tx, id, now);
  const { survey, edition } = invitation;
  await tx
    .selectFrom('survey_edition')
    .select('edition')
    .where((row) => row.and({ survey, edition }))
    .forShare()
    .execute();
  return visitOf(tx, invitation);
}

async function visitOf(db: Kysely<SiteTables>, invitation: Invitation): Promise<Visit> {
  const edition = await readEdition(db, invitation);
  return { standing: standingOf(invitation, edition), edition, invitation };
}

function standingOf({ state }: Invitation, edition: Edition): Standing {
  if (state === 'answered' || state === 'revoked' || state === 'expired') return state;
  if (edition.state === 'published') return 'open';
  return edition.state === 'paused' ? 'paused' : 'closed';
}

/** Notes that somebody followed a link of this invitation, and not when. */
export async function noteOpened(db: Kysely<SiteTables>, { invitation: { id } }: Visit): Promise<void> {
  await db
    .updateTable('survey_invitation')
    .set({ opened: true })
    .where('id', '=', id)
    .where('opened', '=', false)
    .execute();
}
