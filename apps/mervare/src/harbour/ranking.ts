import { sql, type RawBuilder } from 'kysely';
import { fold } from './fold.ts';

const MOST_WORDS = 8;

/** The words of a query; one empty word where it holds neither letter nor digit. */
export function wordsOf(query: string): string[] {
  return fold(query).split(' ').slice(0, MOST_WORDS);
}

/** A LIKE pattern: some word begins so. A folded word holds letters and digits only, so nothing in it means anything else. */
export function beginsWord(word: string): string {
  return `% ${word}%`;
}

/**
 * How well the row's names fit a query, 0 best; among names that hold its words beside others, the shorter fits better.
 * Without a query all fit alike.
 */
export function fitOf(query: string | undefined): RawBuilder<number> {
  const whole = fold(query ?? '');
  if (whole === '') return sql<number>`0::float8`;
  const each = wordsOf(whole).map(beginsWord);
  return sql<number>`(case
    when locode = upper(${whole}) then 0
    when name_folded = ${whole} then 1
    when ${whole} = any(other_names) then 2
    when name_folded like ${`${whole}%`} then 3 + length(name_folded) / 1000.0
    when ' ' || name_folded like all(${each}::text[]) then 4 + length(name_folded) / 1000.0
    else 5 end)::float8`;
}
