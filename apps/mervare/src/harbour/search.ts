import { Refusal } from '@portolan/mcp/tool';
import { askPrepared } from '@portolan/store';
import { sql, type Kysely, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { cursorAfter, KeyText, keyOf } from '../paging/cursor.ts';
import { equipping, placing, type Equipping, type Placing } from './conditions.ts';
import { kmFrom, type Position } from './distance.ts';
import { placeNamed, type Place } from './place.ts';
import { fitOf } from './ranking.ts';
import type { BriefRow } from './record.ts';
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
  readonly harbours: readonly (BriefRow & { readonly distanceKm?: number })[];
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
  const [found] = await askPrepared<Answer>(db, statementOf(search, limit + 1, after));
  if (!found) throw new Error('A search without an answer');
  const { near } = search;
  const shown = found.page.slice(0, limit);
  const last = shown.at(-1);
  return {
    total: found.total,
    harbours: shown.map(({ score, name_folded: _folded, ...row }) =>
      near ? { ...row, distanceKm: score } : row,
    ),
    ...(near && { near }),
    ...(last &&
      found.page.length > limit && {
        nextCursor: cursorAfter([last.score, last.name_folded, last.locode], asked),
      }),
    notes: equipping(search).flatMap(({ fact }, at) => noteOn(fact, found.lacking[at] ?? 0)),
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

/** What the database says of a search, in one row. */
interface Answer {
  readonly total: number;
  readonly page: readonly (BriefRow & { readonly score: number; readonly name_folded: string })[];
  /** How many harbours match but for each fact that they lack. */
  readonly lacking: readonly number[];
}

function statementOf(search: Search, rows: number, after?: z.output<typeof SearchKey>): RawBuilder<Answer> {
  const place = placing(search);
  const equipment = equipping(search);
  const score = search.near ? kmFrom(search.near) : fitOf(search.query);
  const key = [sql`score`, sql`name_folded collate "C"`, sql`locode collate "C"`];
  const beyond =
    after && sql`(${sql.join(key)}) > (${after[0]}::float8, ${after[1]}::text, ${after[2]}::text)`;
  const lacking = equipment.map(
    ({ absent }) => sql`(select count(*) from public_harbour where ${all([...place, absent])})`,
  );
  return sql`
    with matching as (
      select slug, name, locode, country, city, latitude, longitude, name_folded, ${score} as score
      from public_harbour where ${all([...place, ...equipment.map(({ holds }) => holds)])})
    select (select count(*)::int from matching) as total,
      (select coalesce(json_agg(page), '[]') from (
        select * from matching where ${all(beyond ? [beyond] : [])}
        order by ${sql.join(key)} limit ${rows}) page) as page,
      array[${sql.join(lacking)}]::int[] as lacking`;
}

function all(conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> {
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `);
}

/** A sentence on a fact that some harbours lack which match otherwise. */
function noteOn(fact: string, harbours: number): string[] {
  if (harbours === 0) return [];
  const they =
    harbours === 1
      ? 'One harbour matches otherwise but has'
      : `${harbours} harbours match otherwise but have`;
  return [`${they} no recorded ${fact}, and so cannot match.`];
}
