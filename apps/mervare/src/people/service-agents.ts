import type { Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';

/** Gives every name that is new a row, so that its access can be seen and withdrawn. What was withdrawn stays so. */
export async function registerAgents(
  db: Kysely<SiteTables>,
  names: readonly string[],
  now: number,
): Promise<void> {
  if (names.length === 0) return;
  await db
    .insertInto('service_agent')
    .values([...new Set(names)].map((name) => ({ name, seen_at: new Date(now), withdrawn_at: null })))
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
}
