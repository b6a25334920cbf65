import { sql } from 'kysely';

/** These values as the literals of a check: `check (state in (${oneOf(STATES)}))`. */
export function oneOf(values: readonly string[]) {
  return sql.join(values.map((value) => sql.lit(value)));
}
