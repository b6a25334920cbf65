import { sql, type RawBuilder, type SqlBool } from 'kysely';
import type { Role } from './roles.ts';

/** Somebody at work in the funding workspace. */
export interface Member {
  /** As rows remember it: kind of credential and name. */
  readonly by: string;
  readonly role: Role;
  /** Id of the workspace that the member is bound to; super admins work in all. */
  readonly realm: string | undefined;
}

/** The condition on a column that holds a workspace's id: whatever lies in another one looks absent to the member. */
export function visibleTo({ role, realm }: Member, column: string): RawBuilder<SqlBool> {
  if (realm !== undefined) return sql<SqlBool>`${sql.ref(column)} = ${realm}`;
  if (role === 'super_admin') return sql<SqlBool>`true`;
  throw new Error('A member without a workspace is no super admin.');
}
