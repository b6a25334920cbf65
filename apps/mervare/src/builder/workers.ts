import { Refusal } from '@portolan/mcp/tool';
import { revoke } from '@portolan/store';
import { sql, type Kysely, type Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { end, lost, unleased } from './end.ts';
import { note } from './events.ts';
import { afterLoss, FRESH_MS } from './rule.ts';
import type { Priority } from './tables.ts';
import { readTask, type Task } from './tasks.ts';

/** A worker, and the task that it has. */
export interface WorkerState {
  readonly name: string;
  readonly seenAt: Date;
  /** Not gone for long enough to be declared gone. */
  readonly fresh: boolean;
  readonly taskId: string | null;
  readonly heartbeatAt: Date | null;
  readonly leaseUntil: Date | null;
}

/** The builder at a glance. */
export interface BuilderState {
  readonly queued: Readonly<Record<Priority, number>>;
  readonly oldestQueuedAt: Date | null;
  readonly running: number;
  readonly workers: readonly WorkerState[];
}

/** As many workers as are shown: those with a task first, then those seen last. */
const WORKERS = 50;

/** How much is queued, what is running, and who is at it. */
export async function builderState(db: Kysely<SiteTables>, now: number): Promise<BuilderState> {
  const counts = await sql<{
    high: number;
    normal: number;
    low: number;
    running: number;
    oldest: Date | null;
  }>`
    select
      (count(*) filter (where state = 'queued' and priority = 'high'))::int as high,
      (count(*) filter (where state = 'queued' and priority = 'normal'))::int as normal,
      (count(*) filter (where state = 'queued' and priority = 'low'))::int as low,
      (count(*) filter (where state = 'running'))::int as running,
      min(queued_at) filter (where state = 'queued') as oldest
    from builder_task where state in ('queued', 'running')`.execute(db);
  const { rows: workers } = await sql<WorkerState>`
    select w.name, w.seen_at as "seenAt", coalesce(t.heartbeat_at, w.seen_at) > ${new Date(now - FRESH_MS)} as fresh,
      t.id as "taskId", t.heartbeat_at as "heartbeatAt", t.lease_until as "leaseUntil"
    from builder_worker w left join builder_task t on t.worker = w.name and t.state = 'running'
    order by t.id is null, w.seen_at desc, w.name limit ${WORKERS}`.execute(db);
  const [all] = counts.rows;
  if (!all) throw new Error('An aggregate gave no row.');
  const { high, normal, low, running, oldest } = all;
  return { queued: { high, normal, low }, oldestQueuedAt: oldest, running, workers };
}

/**
 * Ends the lease of a task whose worker is gone: another one gets it, or it fails by the rule. The worker, should it live, meets LeaseLost.
 * Throws a Refusal while its heartbeats are fresh.
 */
export async function recoverTask(
  tx: Transaction<SiteTables>,
  id: string,
  by: string,
  now: number,
): Promise<Task> {
  await revoke(tx, id, new Date(now));
  const task = await tx
    .selectFrom('builder_task')
    .select(['state', 'attempts', 'worker', 'heartbeat_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!task) throw new Refusal('not_found', 'There is no such task. Find ids with builder_worker_status.');
  if (task.state !== 'running' || task.heartbeat_at === null)
    throw new Refusal('conflict', `No worker has it: it is ${task.state}.`, { state: task.state });
  const silentMs = now - task.heartbeat_at.getTime();
  if (silentMs < FRESH_MS)
    throw new Refusal('conflict', `Its worker is alive: the last heartbeat was ${silentMs} ms ago.`, {
      worker: task.worker,
      heartbeatAt: task.heartbeat_at.toISOString(),
    });
  await note(tx, id, { kind: 'recovered', detail: `from ${task.worker} by ${by}` }, now);
  if (afterLoss(task.attempts) === 'failed')
    await end(tx, id, { kind: 'failed', detail: lost(task.attempts) }, now);
  else
    await tx
      .updateTable('builder_task')
      .set({ state: 'queued', ...unleased })
      .where('id', '=', id)
      .execute();
  return readTask(tx, id);
}
