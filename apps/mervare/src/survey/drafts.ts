import { Refusal } from '@portolan/mcp/tool';
import { newId } from '@portolan/store';
import type { Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { requireVersion } from '../versions/version.ts';
import { editionsOf, holdEdition, readEdition, type Edition, type EditionKey } from './editions.ts';
import type { SurveyText } from './question.ts';

/** Begins a survey with its first draft. */
export async function createSurvey(
  tx: Transaction<SiteTables>,
  by: string,
  text: SurveyText,
  now: number,
): Promise<Edition> {
  const survey = newId(now);
  await tx
    .insertInto('survey')
    .values({ id: survey, by, at: new Date(now) })
    .execute();
  return insertDraft(tx, by, { survey, edition: 1 }, text, now);
}

/** Changes what is given of a draft. Throws a Refusal for what is no draft, and when it is not as it was read. */
export async function updateDraft(
  tx: Transaction<SiteTables>,
  key: EditionKey,
  { expectedVersion, text }: { readonly expectedVersion: number; readonly text: Partial<SurveyText> },
  now: number,
): Promise<Edition> {
  const before = await holdEdition(tx, key);
  if (before.state !== 'draft')
    throw new Refusal(
      'conflict',
      `It is ${before.state}: only a draft changes. Make one by survey_clone_version.`,
      { state: before.state, version: before.version },
    );
  requireVersion(before, expectedVersion);
  const { questions, ...words } = text;
  await tx
    .updateTable('survey_edition')
    .set({
      ...words,
      ...(questions && { questions: JSON.stringify(questions) }),
      updated_at: new Date(now),
      version: expectedVersion + 1,
    })
    .where((row) => row.and({ ...key }))
    .execute();
  return readEdition(tx, key);
}

/** Makes a new draft with the text of any edition. Throws a Refusal while the survey has a draft. */
export async function cloneEdition(
  tx: Transaction<SiteTables>,
  by: string,
  key: EditionKey,
  now: number,
): Promise<Edition> {
  const { title, intro, language, questions } = await readEdition(tx, key);
  // Whoever clones next waits here, and sees this draft.
  await tx.selectFrom('survey').select('id').where('id', '=', key.survey).forUpdate().execute();
  const editions = await editionsOf(tx, key.survey);
  const draft = editions.find(({ state }) => state === 'draft');
  if (draft)
    throw new Refusal(
      'conflict',
      `Edition ${draft.edition} is a draft already: change it, or publish it first.`,
      {
        edition: draft.edition,
      },
    );
  const next = { survey: key.survey, edition: editions.length + 1 };
  return insertDraft(tx, by, next, { title, intro, language, questions }, now);
}

async function insertDraft(
  tx: Transaction<SiteTables>,
  by: string,
  key: EditionKey,
  { title, intro, language, questions }: SurveyText,
  now: number,
): Promise<Edition> {
  const at = new Date(now);
  await tx
    .insertInto('survey_edition')
    .values({
      ...key,
      state: 'draft',
      title,
      intro,
      language,
      questions: JSON.stringify(questions),
      by,
      at,
      updated_at: at,
      version: 1,
    })
    .execute();
  return readEdition(tx, key);
}
