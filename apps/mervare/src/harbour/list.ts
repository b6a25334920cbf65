import type { Kysely } from 'kysely';
import type { Position } from './distance.ts';
import type { PublicTables } from './tables.ts';

/** The names of all countries that have a harbour, in alphabetical order. */
export async function harbourCountries(db: Kysely<PublicTables>): Promise<string[]> {
  const rows = await db.selectFrom('public_harbour').select('country').distinct().execute();
  return rows.map(({ country }) => country).sort((one, other) => one.localeCompare(other, 'en'));
}

/** Every recorded position. */
export async function harbourPositions(db: Kysely<PublicTables>): Promise<Position[]> {
  const rows = await db
    .selectFrom('public_harbour')
    .select(['latitude as lat', 'longitude as lon'])
    .where('latitude', 'is not', null)
    .execute();
  return rows.flatMap(({ lat, lon }) => (lat === null || lon === null ? [] : [{ lat, lon }]));
}
