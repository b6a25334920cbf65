import { Refusal } from '@portolan/mcp/tool';
import { newId } from '@portolan/store';
import type { Kysely, Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { answerFaults, answerTo, type Answers } from './answers.ts';
import { readEdition, type EditionKey } from './editions.ts';
import type { Question, QuestionType } from './question.ts';

/** What one respondent answered, without a trace of who that is. */
export interface SurveyResponse {
  readonly id: string;
  readonly edition: number;
  readonly at: Date;
  /** In the order of the questions. */
  readonly answers: readonly Answer[];
}

/** One answer, with the type of its question. */
export interface Answer {
  readonly question: string;
  readonly type: QuestionType;
  readonly answer: Answers[string];
}

/**
 * Takes one respondent's answers. Throws a Refusal that names every fault, and for an edition that is not published; it is held until the
 * transaction ends, so that no answer slips in after a close.
 */
export async function takeResponse(
  tx: Transaction<SiteTables>,
  key: EditionKey,
  answers: Answers,
  now: number,
): Promise<string> {
  await tx
    .selectFrom('survey_edition')
    .select('edition')
    .where((row) => row.and({ ...key }))
    .forShare()
    .execute();
  const { state, questions } = await readEdition(tx, key);
  if (state !== 'published') throw new Refusal('conflict', 'This survey takes no answers now.', { state });
  const faults = answerFaults(questions, answers);
  if (faults.length > 0)
    throw new Refusal('invalid_input', 'Some answers do not fit their questions.', { faults });
  const id = newId(now);
  await tx
    .insertInto('survey_response')
    .values({ id, ...key, at: new Date(now), answers: JSON.stringify(answers) })
    .execute();
  return id;
}

/** The responses to one survey, or to one of its editions, the newest first. */
export async function listResponses(
  db: Kysely<SiteTables>,
  asked: { readonly survey: string; readonly edition?: number | undefined },
  paging: Paging,
): Promise<Page<SurveyResponse>> {
  await readEdition(db, asked);
  const { survey, edition } = asked;
  const page = await newestFirst(paging, 'responses', asked, (limit, before) =>
    db
      .selectFrom('survey_response')
      .select(['id', 'edition', 'at', 'answers'])
      .where('survey', '=', survey)
      .$if(edition !== undefined, (all) => all.where('edition', '=', edition ?? 0))
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
  const questions = await questionsOf(db, survey);
  const rows = page.rows.map(({ answers, ...response }) => ({
    ...response,
    answers: inOrder(questions.get(response.edition) ?? [], answers as Answers),
  }));
  return { ...page, rows };
}

/** The questions of every edition. */
async function questionsOf(
  db: Kysely<SiteTables>,
  survey: string,
): Promise<Map<number, readonly Question[]>> {
  const editions = await db
    .selectFrom('survey_edition')
    .select(['edition', 'questions'])
    .where('survey', '=', survey)
    .execute();
  return new Map(editions.map(({ edition, questions }) => [edition, questions]));
}

function inOrder(questions: readonly Question[], answers: Answers): Answer[] {
  return questions.flatMap((question) => {
    const answer = answerTo(answers, question);
    return answer === undefined ? [] : [{ question: question.id, type: question.type, answer }];
  });
}
