import { sql, type Kysely } from 'kysely';
import type { GrantRole } from './roles.ts';
import type { SiteTables } from '../tables.ts';

/** How the secret of a grant begins. */
export const SECRET_PREFIX = 'mvf_';

/** What a live credential of the funding workspace is. */
export interface FundingCredential {
  readonly name: string;
  readonly role: GrantRole;
  /** Id of the only workspace that exists for it. */
  readonly workspace: string;
}

/**
 * The credential with this hash, in one query; undefined where there is none, where it was revoked, and while the funding workspaces are
 * paused.
 */
export async function fundingCredential(
  db: Kysely<SiteTables>,
  hash: Buffer,
): Promise<FundingCredential | undefined> {
  return db
    .selectFrom('funding_grant')
    .innerJoin('funding_switch', (join) => join.on('funding_switch.paused_at', 'is', null))
    .select(['name', 'role', 'workspace'])
    .where('secret_hash', '=', hash)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

/** One column of the live grant of a person, for statements that join `person`; null while the funding workspaces are paused. */
export function personalGrant(column: 'role' | 'workspace') {
  return sql<string | null>`(select g.${sql.ref(column)}::text from funding_grant g, funding_switch s
    where g.person = person.id and g.revoked_at is null and s.paused_at is null)`;
}
