import { sql, type Kysely, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { KeyText, keyOf } from '../paging/cursor.ts';
import { cut, type Paging } from '../paging/page.ts';
import { matching, type LogbookFilter } from './filter.ts';
import type { SiteTables } from '../tables.ts';

/** What figures can be told apart by. Days and ISO weeks are those of UTC. */
const groups = {
  day: sql`to_char(seen_at, 'YYYY-MM-DD')`,
  week: sql`to_char(seen_at, 'IYYY-"W"IW')`,
  vessel_class: sql`vessel_class`,
  harbour: sql`harbour`,
} as const satisfies Record<string, RawBuilder<unknown>>;

export type Grouping = keyof typeof groups;
export const GROUPINGS = Object.keys(groups) as [Grouping, ...Grouping[]];

/** Figures over visits. A mean over nothing is absent. */
export interface Figures {
  readonly visits: number;
  readonly arrivals: number;
  readonly departures: number;
  /** Metres, over the visits with a known length. */
  readonly meanLengthM: number | null;
  /** Hours between arrival and departure, over the visits with both. */
  readonly meanStayH: number | null;
}

export interface Stats extends Figures {
  readonly groups?: readonly (Figures & { readonly group: string })[];
  readonly nextCursor?: string;
}

const figures = sql`count(*)::int as visits, count(arrival)::int as arrivals, count(departure)::int as departures,
  round(avg(length_m)::numeric, 1)::float8 as "meanLengthM",
  round((extract(epoch from avg(departure - arrival)) / 3600)::numeric, 1)::float8 as "meanStayH"`;

/** The figures of all visits that match, and with `groupBy` those of each group, in the order of the groups' names. */
export async function logbookStats(
  db: Kysely<SiteTables>,
  asked: LogbookFilter & { readonly groupBy?: Grouping | undefined },
  { limit, cursor }: Paging,
): Promise<Stats> {
  const { groupBy, ...filter } = asked;
  const where = await matching(db, filter);
  const whole = await sql<Figures>`select ${figures} from logbook_entry where ${where}`.execute(db);
  const [total] = whole.rows;
  if (!total) throw new Error('An aggregate gave no row.');
  if (groupBy === undefined) return total;
  const [after] = cursor === undefined ? [] : keyOf(cursor, asked, z.tuple([KeyText]));
  const group = groups[groupBy];
  const beyond = after === undefined ? sql`` : sql`and ${group} collate "C" > ${after}`;
  const { rows } = await sql<Figures & { readonly group: string }>`
    select ${group} as "group", ${figures} from logbook_entry where ${where} ${beyond}
    group by 1 order by ${group} collate "C" limit ${limit + 1}`.execute(db);
  const page = cut(rows, limit, (row) => [row.group], asked);
  return {
    ...total,
    groups: page.rows,
    ...(page.nextCursor !== undefined && { nextCursor: page.nextCursor }),
  };
}
