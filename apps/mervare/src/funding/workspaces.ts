import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import { stamp, tell } from './journal.ts';
import { visibleTo, type Member } from './member.ts';
import { requireRunning } from './security.ts';
import type { SiteTables } from '../tables.ts';

/** A workspace as its members see it. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly purpose: string;
  readonly by: string;
  readonly at: Date;
}

/** A workspace with what is in it. */
export interface WorkspaceInFigures extends Workspace {
  readonly resources: number;
  readonly comments: number;
  readonly assessments: number;
  /** Proposed and not decided. */
  readonly openActions: number;
}

/** Opens a workspace. */
export async function createWorkspace(
  tx: Transaction<SiteTables>,
  member: Member,
  said: Pick<Workspace, 'name' | 'purpose'>,
  now: number,
): Promise<Workspace> {
  await requireRunning(tx);
  const workspace = { ...stamp(member, now), ...said };
  await tx.insertInto('funding_workspace').values(workspace).execute();
  await tell(
    tx,
    member,
    { workspace: workspace.id, kind: 'workspace', subject: workspace.id, what: 'created' },
    now,
  );
  return workspace;
}

/** The workspaces of the member, the newest first. */
export function listWorkspaces(
  db: Kysely<SiteTables>,
  member: Member,
  paging: Paging,
): Promise<Page<Workspace>> {
  return newestFirst(paging, 'workspaces', member.realm, (limit, before) =>
    db
      .selectFrom('funding_workspace')
      .select(['id', 'name', 'purpose', 'by', 'at'])
      .where(visibleTo(member, 'id'))
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}

/** One workspace. Throws a Refusal where the member sees none with this id. */
export async function readWorkspace(
  db: Kysely<SiteTables>,
  member: Member,
  id: string,
): Promise<WorkspaceInFigures> {
  const count = (table: string, more = sql``) =>
    sql`(select count(*)::int from ${sql.table(table)} as it where it.workspace = w.id ${more})`;
  const { rows } = await sql<WorkspaceInFigures>`
    select id, name, purpose, "by", at,
      ${count('funding_resource')} as resources, ${count('funding_comment')} as comments,
      ${count('funding_assessment')} as assessments,
      ${count('funding_action', sql`and it.decision is null`)} as "openActions"
    from funding_workspace as w where id = ${id} and ${visibleTo(member, 'id')}`.execute(db);
  const [found] = rows;
  if (!found) throw noWorkspace();
  return found;
}

/** Throws a Refusal where the member sees no workspace with this id. */
export async function requireWorkspace(db: Kysely<SiteTables>, member: Member, id: string): Promise<void> {
  const found = await db
    .selectFrom('funding_workspace')
    .select('id')
    .where('id', '=', id)
    .where(visibleTo(member, 'id'))
    .executeTakeFirst();
  if (!found) throw noWorkspace();
}

function noWorkspace(): Refusal {
  return new Refusal('not_found', 'There is no such workspace. Find ids with funding_workspace_list.');
}
