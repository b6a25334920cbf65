import { sql, type Kysely, type RawBuilder, type SqlBool } from 'kysely';
import { feedAfter } from '../paging/feed.ts';
import type { Paging } from '../paging/page.ts';
import { visibleTo, type Member } from './member.ts';
import type { Happening } from './journal.ts';
import type { SiteTables } from '../tables.ts';

/** Something that happened. */
export type FundingChange = Happening & {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
};

/** What has happened since, oldest first, and where to go on. */
export interface FundingChanges {
  readonly changes: readonly FundingChange[];
  /** Gives what comes after these; the given one where nothing has come. */
  readonly cursor: string | undefined;
}

/** What happened in the member's workspaces after `cursor`, without gap or repeat. Grants and pauses are for super admins. */
export async function changesSince(
  db: Kysely<SiteTables>,
  member: Member,
  paging: Paging,
): Promise<FundingChanges> {
  const asked = ['changes', member.realm ?? 'all'];
  const fed = await feedAfter<FundingChange>(db, 'funding_change', paging, asked, forMember(member));
  const changes = fed.rows.map(({ id, workspace, kind, subject, what, by, at }) => ({
    id,
    workspace,
    kind,
    subject,
    what,
    by,
    at,
  }));
  return { changes, cursor: fed.cursor };
}

function forMember(member: Member): RawBuilder<SqlBool> {
  if (member.role === 'super_admin') return sql<SqlBool>`true`;
  return sql<SqlBool>`${visibleTo(member, 'workspace')} and kind not in ('grant', 'security')`;
}
