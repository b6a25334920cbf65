import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import type { VesselClass } from './tables.ts';
import type { SiteTables } from '../tables.ts';

/** Which visits are asked for. All that is given must hold. */
export interface LogbookFilter {
  /** LOCODE or slug. */
  readonly harbour?: string | undefined;
  /** First moment of the period, by when a visit was first seen. */
  readonly from?: string | undefined;
  /** First moment after it. */
  readonly to?: string | undefined;
  readonly vesselClass?: VesselClass | undefined;
  readonly minLengthM?: number | undefined;
  readonly maxLengthM?: number | undefined;
  readonly source?: string | undefined;
}

/** The condition on `logbook_entry`. Throws a Refusal for a harbour that is not in the register. */
export async function matching(db: Kysely<SiteTables>, filter: LogbookFilter): Promise<RawBuilder<SqlBool>> {
  const { from, to, vesselClass, minLengthM, maxLengthM, source } = filter;
  const harbour = filter.harbour === undefined ? undefined : await locodeOf(db, filter.harbour);
  const conditions = [
    harbour !== undefined && sql`harbour = ${harbour}`,
    from !== undefined && sql`seen_at >= ${from}::timestamptz`,
    to !== undefined && sql`seen_at < ${to}::timestamptz`,
    vesselClass !== undefined && sql`vessel_class = ${vesselClass}`,
    minLengthM !== undefined && sql`length_m >= ${minLengthM}::double precision`,
    maxLengthM !== undefined && sql`length_m <= ${maxLengthM}::double precision`,
    source !== undefined && sql`source = ${source}`,
  ].filter((one) => one !== false);
  return conditions.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(conditions, sql` and `)}`;
}

async function locodeOf(db: Kysely<SiteTables>, harbour: string): Promise<string> {
  const found = await db
    .selectFrom('harbour')
    .select('locode')
    .where((row) =>
      row.or([row('locode', '=', harbour.toUpperCase()), row('slug', '=', harbour.toLowerCase())]),
    )
    .executeTakeFirst();
  if (found) return found.locode;
  throw new Refusal('not_found', 'There is no such harbour. Find slugs and LOCODEs with harbour_search.');
}
