import { Refusal } from '@portolan/mcp/tool';
import type { Kysely, Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import type { SurveyText } from './question.ts';
import type { EditionState } from './tables.ts';

/** One version of a survey, whole. */
export interface Edition extends SurveyText {
  readonly survey: string;
  readonly edition: number;
  readonly state: EditionState;
  readonly by: string;
  readonly at: Date;
  readonly updatedAt: Date;
  readonly publishedAt: Date | null;
  readonly closedAt: Date | null;
  readonly version: number;
}

const columns = [
  'survey',
  'edition',
  'state',
  'title',
  'intro',
  'language',
  'questions',
  'by',
  'at',
  'updated_at as updatedAt',
  'published_at as publishedAt',
  'closed_at as closedAt',
  'version',
] as const;

/** Which edition. */
export interface EditionKey {
  readonly survey: string;
  readonly edition: number;
}

/** An edition of a survey, in short. */
export interface EditionBrief {
  readonly edition: number;
  readonly state: EditionState;
}

/** The editions of a survey, the first one first. */
export function editionsOf(db: Kysely<SiteTables>, survey: string): Promise<EditionBrief[]> {
  return db
    .selectFrom('survey_edition')
    .select(['edition', 'state'])
    .where('survey', '=', survey)
    .orderBy('edition')
    .execute();
}

/** An edition; the latest where none is named. Throws a Refusal where there is none. */
export async function readEdition(
  db: Kysely<SiteTables>,
  { survey, edition }: { readonly survey: string; readonly edition?: number | undefined },
): Promise<Edition> {
  const found = await db
    .selectFrom('survey_edition')
    .select(columns)
    .where('survey', '=', survey)
    .$if(edition !== undefined, (all) => all.where('edition', '=', edition ?? 0))
    .orderBy('edition', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (found) return found;
  throw new Refusal('not_found', 'There is no such survey or edition. Find both with survey_list.');
}

/** An edition that nobody else changes until the transaction ends. */
export async function holdEdition(tx: Transaction<SiteTables>, key: EditionKey): Promise<Edition> {
  await tx
    .selectFrom('survey_edition')
    .select('edition')
    .where((row) => row.and({ ...key }))
    .forUpdate()
    .execute();
  return readEdition(tx, key);
}

/** Throws a Refusal while respondents could not answer. */
export async function requirePublished(db: Kysely<SiteTables>, key: EditionKey): Promise<void> {
  const { state } = await readEdition(db, key);
  if (state !== 'published')
    throw new Refusal('conflict', `The edition is ${state}: letters go out while it is published.`, {
      state,
    });
}
