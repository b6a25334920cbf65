import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import { keyOf } from '../paging/cursor.ts';
import { cut, type Page, type Paging } from '../paging/page.ts';
import { matching, type LogbookFilter } from './filter.ts';
import type { VesselClass } from './tables.ts';
import type { SiteTables } from '../tables.ts';

/** One observed visit. */
export interface LogbookEntry {
  readonly id: string;
  readonly harbour: string;
  readonly arrival: Date | null;
  readonly departure: Date | null;
  readonly vesselClass: VesselClass;
  readonly lengthM: number | null;
  readonly source: string;
  readonly reference: string;
}

/** Where a page ends. The moment is a text with microseconds, which a Date would lose. */
const Key = z.tuple([z.iso.datetime({ offset: true }), z.uuid()]);
const KEPT_TIME = sql<string>`to_char(seen_at, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** Visits, the latest seen first. */
export async function logbookEntries(
  db: Kysely<SiteTables>,
  filter: LogbookFilter,
  { limit, cursor }: Paging,
): Promise<Page<LogbookEntry>> {
  const after = cursor === undefined ? undefined : keyOf(cursor, filter, Key);
  const beyond = after ? sql`and (seen_at, id) < (${after[0]}::timestamptz, ${after[1]}::uuid)` : sql``;
  const { rows } = await sql<LogbookEntry & { readonly seen: string }>`
    select id, harbour, arrival, departure, vessel_class as "vesselClass", length_m as "lengthM", source, reference,
      ${KEPT_TIME} as seen
    from logbook_entry where ${await matching(db, filter)} ${beyond}
    order by seen_at desc, id desc limit ${limit + 1}`.execute(db);
  return cut(rows, limit, ({ seen, id }) => [seen, id], filter);
}
