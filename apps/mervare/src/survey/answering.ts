import { sql, type Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { takeResponse } from './responses.ts';
import { readTyped, type Typed } from './typed.ts';
import { keepUnfinished } from './unfinished.ts';
import { holdVisit, type Visit } from './visit.ts';

/** What became of a form. */
export interface Outcome {
  readonly visit: Visit;
  /** The answers are taken, and the link is used up. */
  readonly taken: boolean;
  /** Ids of the questions that stand in the way. */
  readonly faulty: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/** Keeps a form for later where its link still counts; undefined for an address that is no link. */
export async function keepForLater(
  tx: Transaction<SiteTables>,
  token: string,
  typed: Typed,
  now: number,
): Promise<Outcome | undefined> {
  const visit = await holdVisit(tx, token, now);
  if (visit === undefined) return undefined;
  if (visit.standing === 'open' || visit.standing === 'paused') await keepUnfinished(tx, token, typed);
  return { visit, taken: false, faulty: none };
}

/**
 * Takes a form as the one answer of its invitation, whoever else sends it at the same moment. Where it has faults or the survey is paused,
 * it is kept for later. Undefined for an address that is no link.
 */
export async function giveAnswer(
  tx: Transaction<SiteTables>,
  token: string,
  typed: Typed,
  now: number,
): Promise<Outcome | undefined> {
  const visit = await holdVisit(tx, token, now);
  if (visit === undefined) return undefined;
  const { standing, edition } = visit;
  if (standing !== 'open') {
    if (standing === 'paused') await keepUnfinished(tx, token, typed);
    return { visit, taken: false, faulty: none };
  }
  const { answers, faulty } = readTyped(edition.questions, typed);
  if (faulty.size > 0) {
    await keepUnfinished(tx, token, typed);
    return { visit, taken: false, faulty };
  }
  await takeResponse(tx, { survey: edition.survey, edition: edition.edition }, answers, now);
  await useUp(tx, visit);
  return { visit: { ...visit, standing: 'answered' }, taken: true, faulty };
}

/** Invitations that are written again with one that is answered. */
const COMPANY = 20;

/**
 * Marks an invitation as answered, and lets go what was half finished behind it. Every row tells the database the transaction that wrote it
 * last, and the response is written in this one: so others that were answered before are written again with it, one after another in an
 * order of chance, and which of them it belongs to is not to be told.
 */
async function useUp(
  tx: Transaction<SiteTables>,
  { invitation: { id }, edition: { survey, edition } }: Visit,
): Promise<void> {
  await sql`
    select survey_answered(${id}::uuid || array(
      select id from survey_invitation where survey = ${survey} and edition = ${edition} and answered
      order by random() limit ${COMPANY} for update skip locked
    ))`.execute(tx);
}
