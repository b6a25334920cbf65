import { sql, type RawBuilder, type SqlBool } from 'kysely';
import { inCountry } from './country.ts';
import { within, type Position } from './distance.ts';
import { fold } from './fold.ts';
import { beginsWord, wordsOf } from './ranking.ts';

/** How far `near` reaches unless something else is said. */
export const NEAR_KM = 100;

/** Where a harbour must be, and how it must be called. */
export interface Placing {
  /** Words that must all begin a word of the harbour's names, codes, province or country. */
  readonly query?: string | undefined;
  /** Code or English name. */
  readonly country?: string | undefined;
  readonly near?: Position | undefined;
  /** Only with `near`; 100 unless given. */
  readonly withinKm?: number | undefined;
}

/** What a harbour must offer: facts that it may lack. */
export interface Equipping {
  /** All of these. */
  readonly services?: readonly string[] | undefined;
  readonly minDepthM?: number | undefined;
}

/** The conditions on facts that every harbour has. */
export function placing({ query, country, near, withinKm = NEAR_KM }: Placing): RawBuilder<SqlBool>[] {
  return [
    ...(query === undefined ? [] : [hasWords(wordsOf(query))]),
    ...(country === undefined ? [] : [inCountry(country)]),
    ...(near === undefined ? [] : [within(withinKm, near)]),
  ];
}

/** An empty word begins none. */
function hasWords(words: readonly string[]): RawBuilder<SqlBool> {
  if (words.includes('')) return sql`false`;
  return sql`search_text like all(${words.map(beginsWord)}::text[])`;
}

/** A condition on a fact that a harbour may lack. A harbour that lacks it never matches. */
export interface Equipment {
  readonly fact: string;
  readonly holds: RawBuilder<SqlBool>;
  readonly absent: RawBuilder<SqlBool>;
}

export function equipping({ services, minDepthM }: Equipping): Equipment[] {
  const offered: Equipment = {
    fact: 'services',
    holds: sql`services @> ${(services ?? []).map(fold)}::text[]`,
    absent: sql`services is null`,
  };
  const deep: Equipment = {
    fact: 'depth',
    holds: sql`depth_m >= ${minDepthM}::float8`,
    absent: sql`depth_m is null`,
  };
  return [...(services === undefined ? [] : [offered]), ...(minDepthM === undefined ? [] : [deep])];
}
