import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import type { SiteTables } from '../tables.ts';
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

/** What the database says of one question. */
interface Counted {
  readonly answered: number;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly mean: number | null;
  readonly median: number | null;
  readonly spread: number | null;
  readonly crossed: readonly (readonly [by: string, value: string, count: number])[] | null;
  readonly words: string[] | null;
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

/** The figures of one question as a JSON object. */
function countedOf(
  question: Question,
  columns: Question | undefined,
  openAnswers: number,
): RawBuilder<unknown> {
  const { id, type } = question;
  const countable = isCountable(question);
  const crosses = columns && countable && id !== columns.id;
  const numeric = type === 'scale' || type === 'number';
  const given = sql`(select (r.answers ->> ${id}::text)::float8 as v from r where r.answers ? ${id}) as given`;
  return sql`jsonb_build_object(
    'answered', (select count(*) from r where r.answers ? ${id}),
    'counts', ${countable ? tally(question) : sql`null`},
    'mean', ${numeric ? sql`(select round(avg(v)::numeric, 3) from ${given})` : sql`null`},
    'median', ${numeric ? sql`(select percentile_cont(0.5) within group (order by v) from ${given})` : sql`null`},
    'spread', ${numeric ? sql`(select round(stddev_samp(v)::numeric, 3) from ${given})` : sql`null`},
    'crossed', ${crosses ? crossTally(question, columns) : sql`null`},
    'words', ${type === 'text' && openAnswers > 0 ? words(id, openAnswers) : sql`null`})`;
}

function tally(question: Question): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_object_agg(value, n), '{}') from
    (select c.value, count(*) as n from r cross join lateral ${chosen(question)} as c (value) group by 1) as t)`;
}

function crossTally(question: Question, columns: Question): RawBuilder<unknown> {
  return sql`(select coalesce(jsonb_agg(jsonb_build_array(by, value, n)), '[]') from
    (select b.value as by, c.value, count(*) as n from r cross join lateral ${chosen(columns)} as b (value)
      cross join lateral ${chosen(question)} as c (value) group by 1, 2) as t)`;
}

/** The choices that one response made, each a row. */
function chosen({ id, type }: Question): RawBuilder<unknown> {
  if (type === 'multiple') return sql`jsonb_array_elements_text(r.answers -> ${id}::text)`;
  return sql`(select r.answers ->> ${id}::text where r.answers ? ${id})`;
}

function words(id: string, most: number): RawBuilder<unknown> {
  return sql`(select jsonb_agg(said) from (select r.answers ->> ${id}::text as said
    from r where r.answers ? ${id} order by r.id desc limit ${most}) as t)`;
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
