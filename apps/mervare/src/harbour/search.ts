import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { z } from 'zod';
import { cursorAfter, KeyText, keyOf } from '../paging/cursor.ts';
import { equipping, placing, type Equipping, type Placing } from './conditions.ts';
import { kmFrom, type Position } from './distance.ts';
import { placeNamed, type Place } from './place.ts';
import { fitOf } from './ranking.ts';
import type { HarbourRow } from './record.ts';
import type { PublicTables } from './tables.ts';

/** What a search may ask. Every condition that is given must hold; an empty text counts as not given. */
export interface HarbourSearch extends Omit<Placing, 'near'>, Equipping {
  /** A position, or what `placeNamed` understands. */
  readonly near?: Position | string | undefined;
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

/** Finds harbours. Throws a Refusal for a place that cannot be resolved and for a cursor of another search. */
export async function searchHarbours(
  db: Kysely<PublicTables>,
  asked: HarbourSearch,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Found> {
  const after = cursor === undefined ? undefined : keyOf(cursor, asked, SearchKey);
  const search = await resolved(db, asked);
  const [rows, total, notes] = await Promise.all([
    page(db, search, limit + 1, after),
    count(db, conditions(search)),
    notesOn(db, search),
  ]);
  const { near } = search;
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

type Search = Placing & Equipping & { readonly near: Place | undefined };

async function resolved(db: Kysely<PublicTables>, asked: HarbourSearch): Promise<Search> {
  const near = typeof asked.near === 'string' ? given(asked.near) : asked.near;
  if (asked.withinKm !== undefined && near === undefined)
    throw new Refusal('invalid_input', 'withinKm counts from a place: give near, too.');
  return {
    ...asked,
    query: given(asked.query),
    country: given(asked.country),
    near: typeof near === 'string' ? await placeNamed(db, near) : near,
  };
}

function given(text: string | undefined): string | undefined {
  return text?.trim() === '' ? undefined : text;
}

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

function conditions(search: Search): RawBuilder<SqlBool>[] {
  return [...placing(search), ...equipping(search).map(({ holds }) => holds)];
}

async function count(db: Kysely<PublicTables>, where: readonly RawBuilder<SqlBool>[]): Promise<number> {
  const { number } = await db
    .selectFrom('public_harbour')
    .select(sql<number>`count(*)::int`.as('number'))
    .where((all) => all.and([...where]))
    .executeTakeFirstOrThrow();
  return number;
}

/** A sentence for each condition on a fact that some harbours lack which match otherwise. */
async function notesOn(db: Kysely<PublicTables>, search: Search): Promise<string[]> {
  const lacking = await Promise.all(
    equipping(search).map(async ({ fact, absent }) => ({
      fact,
      harbours: await count(db, [...placing(search), absent]),
    })),
  );
  return lacking
    .filter(({ harbours }) => harbours > 0)
    .map(
      ({ fact, harbours }) =>
        `${harbours === 1 ? 'One harbour matches otherwise but has' : `${harbours} harbours match otherwise but have`} no recorded ${fact}, and so cannot match.`,
    );
}
