import { isDeepStrictEqual } from 'node:util';
import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type SqlBool } from 'kysely';
import type { Hand } from '../audit/audit.ts';
import { recordImport, type Imported } from '../imports/imported.ts';
import type { SiteTables } from '../tables.ts';
import type { Statement } from './geojson.ts';
import { toRow, type HarbourRecord, type HarbourRow } from './record.ts';

/** PostgreSQL takes 65,535 parameters a statement. */
const ROWS_A_STATEMENT = 1000;

/**
 * Merges statements into the register, all or nothing: a stated fact replaces the recorded one, every other fact stays.
 * Throws a Refusal when a new harbour lacks a name or a country.
 */
export async function importHarbours(
  db: Kysely<SiteTables>,
  statements: readonly Statement[],
  hand: Hand,
): Promise<Imported> {
  return db.transaction().execute(async (transaction) => {
    const known = await knownRows(transaction, statements);
    const rows = complete(statements.map((statement) => ({ ...known.get(statement.locode), ...statement })));
    const different = rows.filter((row) => differs(known.get(row.locode), row));
    for (let at = 0; at < different.length; at += ROWS_A_STATEMENT)
      await store(transaction, different.slice(at, at + ROWS_A_STATEMENT));
    await recordImport(
      transaction,
      'harbour.import',
      different.map(({ locode }) => locode),
      hand,
    );
    const added = different.filter(({ locode }) => !known.has(locode)).length;
    return { added, changed: different.length - added, unchanged: rows.length - different.length };
  });
}

async function knownRows(db: Kysely<SiteTables>, statements: readonly Statement[]) {
  const rows = await db
    .selectFrom('harbour')
    .selectAll()
    .where(sql<SqlBool>`locode = any(${statements.map(({ locode }) => locode)})`)
    .forUpdate()
    .execute();
  return new Map(rows.map((row) => [row.locode, row]));
}

/** A new harbour about which only its name is stated. */
const nothingElse = {
  city: null,
  province: null,
  latitude: null,
  longitude: null,
  timezone: null,
  aliases: [],
  other_locodes: [],
  customs_code: null,
  services: null,
  depth_m: null,
};

function complete(merged: readonly Statement[]): HarbourRow[] {
  const lacking = merged.filter(({ name, country }) => name === undefined || country === undefined);
  if (lacking.length === 0)
    return merged.map((one) => toRow({ ...nothingElse, ...one } as HarbourRecord, 'import'));
  const shown = lacking.slice(0, 20).map(({ locode }) => locode);
  throw new Refusal(
    'invalid_input',
    `A new harbour needs a name and a country; nothing was imported. Lacking: ${shown.join(', ')}${lacking.length > 20 ? ', …' : ''}.`,
  );
}

/** True when anything but the source is different. */
function differs(known: HarbourRow | undefined, row: HarbourRow): boolean {
  return !isDeepStrictEqual({ ...known, source: '' }, { ...row, source: '' });
}

async function store(db: Kysely<SiteTables>, rows: readonly HarbourRow[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const columns = Object.keys(first) as (keyof HarbourRow)[];
  await db
    .insertInto('harbour')
    .values([...rows])
    .onConflict((conflict) =>
      conflict
        .column('locode')
        .doUpdateSet((excluded) =>
          Object.fromEntries(columns.map((column) => [column, excluded.ref(`excluded.${column}`)])),
        ),
    )
    .execute();
}
