import { newId } from '@portolan/store';
import { sql, type Kysely, type Transaction } from 'kysely';
import { faulty, recordImport, type Imported } from '../imports/imported.ts';
import type { Hand } from '../audit/audit.ts';
import type { Visit } from './visit.ts';
import type { SiteTables } from '../tables.ts';

/** Rows a statement: their columns travel as one array each. */
const ROWS_A_STATEMENT = 5000;
/** SQLSTATE. */
const CHECK_VIOLATION = '23514';

/**
 * Merges visits into the logbook, all or nothing. A visit is known by its source and reference: what is stated replaces what was
 * recorded, what is not stated stays. Throws a Refusal that names visits that stand twice or at a harbour that is not in the register.
 */
export async function importVisits(
  db: Kysely<SiteTables>,
  visits: readonly Visit[],
  hand: Hand,
): Promise<Imported> {
  refuseTwice(visits);
  return db.transaction().execute(async (tx) => {
    await refuseUnknownHarbours(tx, visits);
    const merged: { id: string; fresh: boolean }[] = [];
    for (let at = 0; at < visits.length; at += ROWS_A_STATEMENT) {
      const rows = await merge(tx, visits.slice(at, at + ROWS_A_STATEMENT), hand.now).catch(explained);
      for (const row of rows) merged.push(row);
    }
    await recordImport(
      tx,
      'logbook.import',
      merged.map(({ id }) => id),
      hand,
    );
    const added = merged.filter(({ fresh }) => fresh).length;
    return { added, changed: merged.length - added, unchanged: visits.length - merged.length };
  });
}

function refuseTwice(visits: readonly Visit[]): void {
  const seen = new Set<string>();
  const twice = visits.filter(({ source, reference }) => {
    const key = `${source} ${reference}`;
    return seen.has(key) || !seen.add(key);
  });
  if (twice.length > 0)
    throw faulty(twice.map(({ source, reference }) => `${source} ${reference}: stands twice`));
}

async function refuseUnknownHarbours(tx: Transaction<SiteTables>, visits: readonly Visit[]): Promise<void> {
  const named = [...new Set(visits.map(({ harbour }) => harbour))];
  const unknown = await sql<{ locode: string }>`
    select locode from unnest(${named}::text[]) as named (locode)
    where not exists (select from harbour where harbour.locode = named.locode)`.execute(tx);
  if (unknown.rows.length > 0)
    throw faulty(unknown.rows.map(({ locode }) => `${locode}: there is no such harbour in the register`));
}

/** Only the merge shows that a visit would end before it began: the one is stated, the other was recorded earlier. */
function explained(error: unknown): never {
  if (error instanceof Error && 'code' in error && error.code === CHECK_VIOLATION)
    throw faulty(['a visit would depart before it arrived, together with what was recorded earlier']);
  throw error;
}

/** The rows that are new or different now. `xmax` is zero in a row that was inserted. */
async function merge(tx: Transaction<SiteTables>, visits: readonly Visit[], now: number) {
  const column = <T>(of: (visit: Visit) => T) => visits.map(of);
  const { rows } = await sql<{ id: string; fresh: boolean }>`
    insert into logbook_entry as entry
      (id, source, reference, harbour, arrival, departure, vessel_class, length_m, recorded_at)
    select *, ${new Date(now)}::timestamptz from unnest(
      ${column(() => newId(now))}::uuid[],
      ${column(({ source }) => source)}::text[],
      ${column(({ reference }) => reference)}::text[],
      ${column(({ harbour }) => harbour)}::text[],
      ${column(({ arrival }) => arrival ?? null)}::timestamptz[],
      ${column(({ departure }) => departure ?? null)}::timestamptz[],
      ${column(({ vesselClass }) => vesselClass)}::text[],
      ${column(({ lengthM }) => lengthM ?? null)}::double precision[])
    on conflict (source, reference) do update set
      harbour = excluded.harbour, vessel_class = excluded.vessel_class,
      arrival = coalesce(excluded.arrival, entry.arrival),
      departure = coalesce(excluded.departure, entry.departure),
      length_m = coalesce(excluded.length_m, entry.length_m)
    where (excluded.harbour, excluded.vessel_class,
        coalesce(excluded.arrival, entry.arrival), coalesce(excluded.departure, entry.departure),
        coalesce(excluded.length_m, entry.length_m))
      is distinct from
      (entry.harbour, entry.vessel_class, entry.arrival, entry.departure, entry.length_m)
    returning entry.id, xmax = 0 as fresh`.execute(tx);
  return rows;
}
