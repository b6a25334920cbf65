import { sql, type RawBuilder } from 'kysely';
import { isCountable, type Question } from './question.ts';

/** What the database says of one question. */
export interface Counted {
  readonly answered: number;
  readonly counts: Readonly<Record<string, number>> | null;
  readonly mean: number | null;
  readonly median: number | null;
  readonly spread: number | null;
  readonly crossed: readonly (readonly [by: string, value: string, count: number])[] | null;
  readonly words: string[] | null;
}

/** The figures of one question as a JSON object, over the rows `r` (id, answers) of the statement around it. */
export function countedOf(
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
