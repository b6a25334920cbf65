import { sql, type RawBuilder, type SqlBool } from 'kysely';

/** A place on the earth: WGS 84, degrees. */
export interface Position {
  readonly lat: number;
  readonly lon: number;
}

/** Mean radius of the earth (IUGG), kilometres. */
export const EARTH_KM = 6371.0088;

/** From where a statement counts: values, or columns of a row. */
export interface Origin {
  readonly lat: number | RawBuilder<number>;
  readonly lon: number | RawBuilder<number>;
}

/** Great-circle distance from a place to the row's position, kilometres. It is null for a row without one: such a row is within no distance. */
export function kmFrom({ lat, lon }: Origin): RawBuilder<number> {
  const dLat = sql`radians(latitude - ${lat}::float8) / 2`;
  const dLon = sql`radians(longitude - ${lon}::float8) / 2`;
  const cosines = sql`cos(radians(${lat}::float8)) * cos(radians(latitude))`;
  const haversine = sql`sin(${dLat}) ^ 2 + ${cosines} * sin(${dLon}) ^ 2`;
  // LEAST passes over nulls, so that a row without a position would lie at the far end of the earth.
  return sql<number>`case when latitude is not null then ${sql.lit(EARTH_KM)}::float8 * 2 * asin(sqrt(least(1, ${haversine}))) end`;
}

/** A little less than a degree of latitude is long: no rounding leaves out a row at the edge. */
const DEGREE_KM = 111.19;

/** The row lies within so many kilometres of a place. Whatever does lies in that band of latitude, which an index finds. */
export function within(km: number, origin: Origin): RawBuilder<SqlBool> {
  const degrees = sql`${km}::float8 / ${sql.lit(DEGREE_KM)}::float8`;
  const band = sql`latitude between ${origin.lat}::float8 - ${degrees} and ${origin.lat}::float8 + ${degrees}`;
  return sql<SqlBool>`(${band} and ${kmFrom(origin)} <= ${km}::float8)`;
}
