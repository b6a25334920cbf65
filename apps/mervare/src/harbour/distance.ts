import { sql, type RawBuilder } from 'kysely';

/** A place on the earth: WGS 84, degrees. */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

/** Mean radius of the earth (IUGG), kilometres. */
export const EARTH_KM = 6371.0088;

/** Great-circle distance from a place to the row's position, kilometres. It is null for a row without one: such a row is within no distance. */
export function kmFrom({ lat, lon }: Position): RawBuilder<number> {
  const dLat = sql`radians(latitude - ${lat}::float8) / 2`;
  const dLon = sql`radians(longitude - ${lon}::float8) / 2`;
  const cosines = sql`cos(radians(${lat}::float8)) * cos(radians(latitude))`;
  const haversine = sql`sin(${dLat}) ^ 2 + ${cosines} * sin(${dLon}) ^ 2`;
  // LEAST passes over nulls, so that a row without a position would lie at the far end of the earth.
  return sql<number>`case when latitude is not null then ${EARTH_KM}::float8 * 2 * asin(sqrt(least(1, ${haversine}))) end`;
}
