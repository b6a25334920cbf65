import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import { inform } from './inbox.ts';
import { stamp, tell } from './journal.ts';
import { visibleTo, type Member } from './member.ts';
import { holdResource } from './resources.ts';
import { requireRunning } from './security.ts';
import { requireWorkspace } from './workspaces.ts';
import type { SiteTables } from '../tables.ts';

/** Something that somebody proposes to do about a resource, and how it was decided. */
export interface Action {
  readonly id: string;
  readonly workspace: string;
  readonly resource: string;
  readonly title: string;
  readonly rationale: string;
  readonly by: string;
  readonly at: Date;
  readonly decision: 'approved' | 'rejected' | null;
  readonly reason: string | null;
  readonly decidedBy: string | null;
  readonly decidedAt: Date | null;
}

const action: RawBuilder<Action> = sql<Action>`id, workspace, resource, title, rationale, "by", at, decision, reason,
  decided_by as "decidedBy", decided_at as "decidedAt"`;

/** Proposes an action. */
export async function proposeAction(
  tx: Transaction<SiteTables>,
  member: Member,
  said: Pick<Action, 'resource' | 'title' | 'rationale'>,
  now: number,
): Promise<Action> {
  const { workspace } = await holdResource(tx, member, said.resource);
  const proposal = { ...stamp(member, now), workspace, ...said };
  await tx.insertInto('funding_action').values(proposal).execute();
  await tell(tx, member, { workspace, kind: 'action', subject: proposal.id, what: 'created' }, now);
  return { ...proposal, decision: null, reason: null, decidedBy: null, decidedAt: null };
}

/** Decides a proposal for good and tells who made it. Throws a Refusal to its proposer, and where it is decided. */
export async function decideAction(
  tx: Transaction<SiteTables>,
  member: Member,
  said: { readonly id: string; readonly decision: 'approved' | 'rejected'; readonly reason: string },
  now: number,
): Promise<Action> {
  await requireRunning(tx);
  const { rows } = await sql<Action>`select ${action} from funding_action
    where id = ${said.id} and ${visibleTo(member, 'workspace')} for update`.execute(tx);
  const [before] = rows;
  if (!before) throw new Refusal('not_found', 'There is no such action. Find ids with funding_action_list.');
  if (before.decision !== null)
    throw new Refusal('conflict', `It was ${before.decision} by ${before.decidedBy}; a decision is final.`);
  if (before.by === member.by)
    throw new Refusal('forbidden', 'Whoever proposes an action does not decide it: somebody else must.');
  const { workspace, resource, id: subject } = before;
  const decided = { decision: said.decision, reason: said.reason };
  await tx
    .updateTable('funding_action')
    .set({ ...decided, decided_by: member.by, decided_at: new Date(now) })
    .where('id', '=', subject)
    .execute();
  await tell(tx, member, { workspace, kind: 'action', subject, what: 'decided' }, now);
  await inform(tx, member, [before.by], { workspace, resource, kind: 'decision', subject }, now);
  return { ...before, ...decided, decidedBy: member.by, decidedAt: new Date(now) };
}

/** Which actions of a workspace are asked for. */
export interface ActionsAsked {
  readonly workspace: string;
  readonly resource?: string | undefined;
  readonly state?: 'open' | 'approved' | 'rejected' | undefined;
}

/** Actions of one workspace, the newest first. */
export async function listActions(
  db: Kysely<SiteTables>,
  member: Member,
  asked: ActionsAsked,
  paging: Paging,
): Promise<Page<Action>> {
  await requireWorkspace(db, member, asked.workspace);
  const conditions = [
    sql`workspace = ${asked.workspace}`,
    ...(asked.resource === undefined ? [] : [sql`resource = ${asked.resource}`]),
    ...(asked.state === undefined ? [] : [sql`coalesce(decision, 'open') = ${asked.state}`]),
  ];
  return newestFirst(paging, 'actions', asked, async (limit, before) => {
    const here = before === undefined ? conditions : [...conditions, sql`id < ${before}`];
    const { rows } = await sql<Action>`select ${action} from funding_action
      where ${sql.join(here, sql` and `)} order by id desc limit ${limit}`.execute(db);
    return rows;
  });
}
