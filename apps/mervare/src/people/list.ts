import { sql, type Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { personColumns, type Person } from './person.ts';

/** People on one page of the list. */
const PAGE = 50;

/** A person as the list of users shows one. */
export interface Listed extends Person {
  readonly disabledAt: Date | null;
}

/** A page of people by address, disabled ones too, and the address to go on from. */
export async function listPeople(
  db: Kysely<SiteTables>,
  after: string,
): Promise<{ readonly people: readonly Listed[]; readonly next: string | undefined }> {
  const { rows } = await sql<Listed>`
    select ${personColumns}, person.disabled_at as "disabledAt" from person
    where email > ${after} order by email limit ${PAGE + 1}`.execute(db);
  const people = rows.slice(0, PAGE);
  return { people, next: rows.length > PAGE ? people.at(-1)?.email : undefined };
}

/** Every program that a token was ever configured for. */
export async function listAgents(db: Kysely<SiteTables>) {
  const agents = await db.selectFrom('service_agent').selectAll().orderBy('name').limit(1000).execute();
  return agents.map(({ name, seen_at, withdrawn_at }) => ({
    name,
    seenAt: seen_at,
    withdrawnAt: withdrawn_at,
  }));
}
