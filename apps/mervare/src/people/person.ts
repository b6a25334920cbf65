import { sql, type Expression, type Kysely, type RawBuilder } from 'kysely';
import { personalGrant } from '../funding/credentials.ts';
import type { SiteTables } from '../tables.ts';
import type { Rights } from './holdings.ts';

/** A person with an account that is not disabled, and the rights that hold now. */
export interface Person extends Rights {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** The person with this id; undefined where there is none, or the account is disabled. */
export async function readPerson(db: Kysely<SiteTables>, id: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    select ${personColumns} from person
    where person.id = ${id} and person.disabled_at is null`.execute(db);
  return rows[0];
}

/**
 * The columns of a `Person`, out of a row of the table `person`: for statements that join it, so that whoever is found by a
 * session or a token comes with the rights of this very moment and without a second question.
 */
export const personColumns: RawBuilder<Person> & Expression<Person> = sql<Person>`
  person.id, person.email, person.name, person.is_super_admin as "isSuperAdmin",
  exists (select from builder_grant where builder_grant.person = person.id) as "hasBuilderGrant",
  ${personalGrant('role')} as "fundingRole", ${personalGrant('workspace')} as "fundingWorkspace"`;
