import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { z } from 'zod';
import { cursorAfter, KeyText, keyOf } from '../paging/cursor.ts';
import { inCountry } from './country.ts';
import { kmFrom, type Position } from './distance.ts';
import { fold } from './fold.ts';
import { placeNamed, type Place } from './place.ts';
import type { HarbourRow } from './record.ts';
import type { PublicTables } from './tables.ts';

/** What a search may ask. Every condition that is given must hold. */
export interface HarbourSearch {
  /** Words that must all begin a word of the harbour's names, codes, province or country. */
  readonly query?: string | undefined;
  /** Code or English name. */
  readonly country?: string | undefined;
  /** A position, or what `placeNamed` understands. */
  readonly near?: Position | string | undefined;
  /** Only with `near`; 100 unless given. */
  readonly withinKm?: number | undefined;
  /** All of these must be offered. */
  readonly services?: readonly string[] | undefined;
  readonly minDepthM?: number | undefined;
}

/** One page of what a search found: the nearest first with `near`, else the best fit first. */
export interface Found {
  /** How many harbours match, over all pages. */
  readonly total: number;
  readonly harbours: readonly (HarbourRow & { readonly distanceKm?: number })[];
  /** From where distances count. */
  readonly near?: Place;
  readonly nextCursor?: string;
  /** What the caller should know about the result, for example facts that are not recorded. */
  readonly notes: string[];
}

/** Where a page ends: score, folded name, LOCODE. */
const SearchKey = z.tuple([z.number(), KeyText, KeyText]);
/** How far `near` reaches unless something else is said. */
export const NEAR_KM = 100;
const MOST_WORDS = 8;

/** Finds harbours. Throws a Refusal for a place that cannot be resolved and for a cursor of another search. */
export async function searchHarbours(
  db: Kysely<PublicTables>,
  asked: HarbourSearch,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Found> {
  if (asked.withinKm !== undefined && asked.near === undefined)
    throw new Refusal('invalid_input', 'withinKm counts from a place: give near, too.');
  const after = cursor === undefined ? undefined : keyOf(cursor, asked, SearchKey);
  const near = typeof asked.near === 'string' ? await placeNamed(db, asked.near) : asked.near;
  const search = { ...asked, near };
  const [rows, total, notes] = await Promise.all([
    page(db, search, limit + 1, after),
    count(db, conditions(search)),
    notesOn(db, search),
  ]);
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    total,
    harbours: shown.map(({ score, ...row }) => (near ? { ...row, distanceKm: score } : row)),
    ...(near && { near }),
    ...(last &&
      rows.length > limit && { nextCursor: cursorAfter([last.score, last.name_folded, last.locode], asked) }),
    notes,
  };
}

type Search = Omit<HarbourSearch, 'near'> & { readonly near: Place | undefined };

function page(db: Kysely<PublicTables>, search: Search, rows: number, after?: z.output<typeof SearchKey>) {
  const score = search.near ? kmFrom(search.near) : fitOf(search.query);
  const key = sql`(${score}, name_folded collate "C", locode collate "C")`;
  return db
    .selectFrom('public_harbour')
    .selectAll()
    .select(score.as('score'))
    .where((all) => all.and(conditions(search)))
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`${key} > (${after?.[0]}::float8, ${after?.[1]}::text, ${after?.[2]}::text)`),
    )
    .orderBy('score')
    .orderBy(sql`name_folded collate "C"`)
    .orderBy(sql`locode collate "C"`)
    .limit(rows)
    .execute();
}

async function count(db: Kysely<PublicTables>, where: readonly RawBuilder<SqlBool>[]): Promise<number> {
  const { number } = await db
    .selectFrom('public_harbour')
    .select(sql<number>`count(*)::int`.as('number'))
    .where((all) => all.and([...where]))
    .executeTakeFirstOrThrow();
  return number;
}

/** How well the names fit, 0 best: among names that only hold the words, the shorter fits better. Without a query all fit alike. */
function fitOf(query: string | undefined): RawBuilder<number> {
  const words = fold(query ?? '');
  if (words === '') return sql<number>`0::float8`;
  const each = wordsOf(words).map(beginsWord);
  return sql<number>`(case
    when locode = upper(${words}) then 0
    when name_folded = ${words} then 1
    when ${words} = any(other_names) then 2
    when name_folded like ${`${words}%`} then 3 + length(name_folded) / 1000.0
    when ' ' || name_folded like all(${each}::text[]) then 4 + length(name_folded) / 1000.0
    else 5 end)::float8`;
}

/** The words of a query; one empty word where it holds neither letter nor digit. */
function wordsOf(query: string): string[] {
  return fold(query).split(' ').slice(0, MOST_WORDS);
}

/** A folded word holds letters and digits only: nothing in it means anything to LIKE. */
function beginsWord(word: string): string {
  return `% ${word}%`;
}

function conditions(search: Search): RawBuilder<SqlBool>[] {
  return [...placing(search), ...equipping(search).map(({ holds }) => holds)];
}

/** The conditions on facts that every harbour has. */
function placing({ query, country, near, withinKm = NEAR_KM }: Search): RawBuilder<SqlBool>[] {
  const words = query === undefined ? [] : wordsOf(query);
  return [
    ...words.map((word) =>
      word === '' ? sql<SqlBool>`false` : sql<SqlBool>`search_text like ${beginsWord(word)}`,
    ),
    ...(country === undefined ? [] : [inCountry(country)]),
    ...(near === undefined ? [] : [sql<SqlBool>`${kmFrom(near)} <= ${withinKm}::float8`]),
  ];
}

/** A condition on a fact that a harbour may lack. A harbour that lacks it never matches. */
interface Equipment {
  readonly fact: string;
  readonly holds: RawBuilder<SqlBool>;
  readonly absent: RawBuilder<SqlBool>;
}

function equipping({ services, minDepthM }: Search): Equipment[] {
  return [
    ...(services === undefined
      ? []
      : [
          {
            fact: 'services',
            holds: sql<SqlBool>`services @> ${services.map(fold)}::text[]`,
            absent: sql<SqlBool>`services is null`,
          },
        ]),
    ...(minDepthM === undefined
      ? []
      : [
          {
            fact: 'depth',
            holds: sql<SqlBool>`depth_m >= ${minDepthM}::float8`,
            absent: sql<SqlBool>`depth_m is null`,
          },
        ]),
  ];
}

function notesOn(db: Kysely<PublicTables>, search: Search): Promise<string[]> {
  return Promise.all(
    equipping(search).map(async ({ fact, absent }) => {
      const lacking = await count(db, [...placing(search), absent]);
      return `${lacking} harbours that match otherwise have no recorded ${fact}: they are left out, not excluded by fact.`;
    }),
  );
}
