import { Refusal } from '@portolan/mcp/tool';
import { enqueue, newId } from '@portolan/store';
import type { Kysely, Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { note } from './events.ts';
import { MAX_ATTEMPTS } from './rule.ts';
import type { Priority, TaskState } from './tables.ts';

/** A task as lists show it. */
export interface TaskBrief {
  readonly id: string;
  readonly title: string;
  readonly priority: Priority;
  readonly state: TaskState;
  readonly queuedBy: string;
  readonly queuedAt: Date;
  readonly attempts: number;
  readonly worker: string | null;
  readonly endedAt: Date | null;
  readonly reason: string | null;
}

/** A task whole. */
export interface Task extends TaskBrief {
  readonly instructions: string;
  readonly acceptance: string;
  readonly heartbeatAt: Date | null;
  readonly leaseUntil: Date | null;
  readonly logTail: string | null;
}

const brief = [
  'id',
  'title',
  'priority',
  'state',
  'queued_by as queuedBy',
  'queued_at as queuedAt',
  'attempts',
  'worker',
  'ended_at as endedAt',
  'reason',
] as const;

/** The queue of the store that holds the jobs of one priority. */
export function queueOf(priority: Priority): string {
  return `builder.${priority}`;
}

/** What somebody wants to be built. */
export type NewTask = Pick<Task, 'title' | 'instructions' | 'acceptance' | 'priority' | 'queuedBy'>;

/** Adds a task for the next free worker. Once it passes CI and review, it is merged without a further question. */
export async function queueTask(
  tx: Transaction<SiteTables>,
  { queuedBy, ...wanted }: NewTask,
  now: number,
): Promise<Task> {
  const id = newId(now);
  const at = new Date(now);
  await tx
    .insertInto('builder_task')
    .values({ id, ...wanted, state: 'queued', queued_by: queuedBy, queued_at: at })
    .execute();
  // One more than a task may have: our own rule must speak before the store's.
  const job = { id, queue: queueOf(wanted.priority), payload: null, maxAttempts: MAX_ATTEMPTS + 1 };
  await enqueue(tx, job, at);
  await note(tx, id, { kind: 'queued', detail: `by ${queuedBy}` }, now);
  return readTask(tx, id);
}

/** Withdraws a task that no worker has begun. Throws a Refusal for any other. */
export async function cancelTask(
  tx: Transaction<SiteTables>,
  id: string,
  by: string,
  now: number,
): Promise<Task> {
  const cancelled = await tx
    .updateTable('builder_task')
    .set({ state: 'cancelled', ended_at: new Date(now) })
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .executeTakeFirst();
  const task = await readTask(tx, id);
  if (cancelled.numUpdatedRows === 0n)
    throw new Refusal('conflict', `It is ${task.state}: only a queued task can be withdrawn.`, {
      state: task.state,
    });
  await note(tx, id, { kind: 'cancelled', detail: `by ${by}` }, now);
  return task;
}

/** Tasks, the newest first. */
export function listTasks(
  db: Kysely<SiteTables>,
  asked: { readonly state?: TaskState | undefined },
  paging: Paging,
): Promise<Page<TaskBrief>> {
  const { state } = asked;
  return newestFirst(paging, 'builder tasks', asked, (limit, before) =>
    db
      .selectFrom('builder_task')
      .select(brief)
      .$if(state !== undefined, (all) => all.where('state', '=', state ?? 'queued'))
      .$if(before !== undefined, (all) => all.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}

/** One task. Throws a Refusal where there is none with this id. */
export async function readTask(db: Kysely<SiteTables>, id: string): Promise<Task> {
  const found = await db
    .selectFrom('builder_task')
    .select([
      ...brief,
      'instructions',
      'acceptance',
      'heartbeat_at as heartbeatAt',
      'lease_until as leaseUntil',
      'log_tail as logTail',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (found) return found;
  throw new Refusal('not_found', 'There is no such task. Find ids with builder_list_tasks.');
}
