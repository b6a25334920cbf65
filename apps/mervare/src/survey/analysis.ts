import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { countedOf, type Counted } from './counted.ts';
import { readEdition, type EditionKey } from './editions.ts';
import { isCountable, type Question, type QuestionType } from './question.ts';

/** How often something was chosen. */
export interface Tally {
  readonly value: string;
  readonly count: number;
}

/** What was answered to one question. */
export interface QuestionFigures {
  readonly question: string;
  readonly type: QuestionType;
  readonly answered: number;
  /** Of single, multiple and scale: every choice, also those that nobody made. */
  readonly counts?: Tally[];
  /** Of scale and number; absent where nobody answered. */
  readonly mean?: number;
  readonly median?: number;
  /** Sample standard deviation; absent below two answers. */
  readonly spread?: number;
  /** For each choice in the question that the cross-tabulation goes by. */
  readonly crossTab?: { readonly by: string; readonly counts: Tally[] }[];
  /** Of text: the latest words of respondents. */
  readonly openAnswers?: string[];
}

export interface Analysis {
  readonly edition: number;
  readonly responses: number;
  /** Id of the last response that is counted. */
  readonly highWater: string | null;
  readonly questions: readonly QuestionFigures[];
}

/** What is to be computed. */
export interface AnalysisAsked {
  /** Question that every other countable one is tabulated by. */
  readonly by?: string | undefined;
  /** Open answers that are shown for each question; 0 leaves them out. */
  readonly openAnswers: number;
}

/**
 * Figures of every question of an edition, in one statement, so that all are of the same responses. Throws a Refusal where `by` cannot be
 * tabulated by.
 */
export async function analyse(
  db: Kysely<SiteTables>,
  key: EditionKey,
  { by, openAnswers }: AnalysisAsked,
): Promise<Analysis> {
  const { questions } = await readEdition(db, key);
  const columns = by === undefined ? undefined : requireCountable(questions, by);
  const counted = questions.map((question) => countedOf(question, columns, openAnswers));
  const { rows } = await sql<{ responses: number; highWater: string | null; counted: Counted[] }>`
    with r as materialized (
      select id, answers from survey_response where survey = ${key.survey} and edition = ${key.edition}
    )
    select (select count(*)::int from r) as responses, (select id from r order by id desc limit 1) as "highWater",
      to_jsonb(array[${sql.join(counted)}]::jsonb[]) as counted`.execute(db);
  const [found] = rows;
  if (!found) throw new Error('A query without a table gave no row.');
  const figures = questions.map((question, at) => figuresOf(question, found.counted[at], columns));
  return { edition: key.edition, responses: found.responses, highWater: found.highWater, questions: figures };
}

function requireCountable(questions: readonly Question[], by: string): Question {
  const found = questions.find(({ id }) => id === by);
  if (found && isCountable(found)) return found;
  throw new Refusal(
    'invalid_input',
    `${by} is no question of type single, multiple or scale in this edition.`,
  );
}

function figuresOf(
  question: Question,
  found: Counted | undefined,
  columns: Question | undefined,
): QuestionFigures {
  if (!found) throw new Error('A question has no figures.');
  const { answered, counts, mean, median, spread, crossed, words: openAnswers } = found;
  return {
    question: question.id,
    type: question.type,
    answered,
    ...(counts && { counts: tallied(question, counts) }),
    ...(mean !== null && { mean }),
    ...(median !== null && { median }),
    ...(spread !== null && { spread }),
    ...(crossed && columns && { crossTab: choicesOf(columns).map((by) => crossRow(question, crossed, by)) }),
    ...(openAnswers && { openAnswers }),
  };
}

function crossRow(question: Question, crossed: NonNullable<Counted['crossed']>, by: string) {
  const here = crossed.filter(([column]) => column === by);
  return {
    by,
    counts: tallied(question, Object.fromEntries(here.map(([, value, count]) => [value, count]))),
  };
}

function tallied(question: Question, counts: Readonly<Record<string, number>>): Tally[] {
  return choicesOf(question).map((value) => ({ value, count: counts[value] ?? 0 }));
}

/** Every choice of a question, in its order. */
function choicesOf({ options = [], min = 0, max = -1, type }: Question): string[] {
  if (type !== 'scale') return options.map(({ id }) => id);
  return Array.from({ length: max - min + 1 }, (_, step) => String(min + step));
}
