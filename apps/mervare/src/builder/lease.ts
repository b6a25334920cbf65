import { claim, complete, heartbeat, type Job } from '@portolan/store';
import type { Kysely, Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { end, lost } from './end.ts';
import { note, type BuilderEvent } from './events.ts';
import { afterLoss, LEASE_MS } from './rule.ts';
import { PRIORITIES } from './tables.ts';
import { queueOf, readTask, type Task } from './tasks.ts';

/** A task in the hands of one worker, until its lease ends. Whatever the worker says of it later throws LeaseLost. */
export interface Claimed {
  readonly job: Job;
  readonly task: Task;
}

/**
 * Gives a worker the most urgent task, the oldest of them first; undefined when there is none. Takes over tasks whose worker let the lease
 * end. Locks go from the job to its task, everywhere.
 */
export async function claimTask(
  db: Kysely<SiteTables>,
  worker: string,
  now: number,
): Promise<Claimed | undefined> {
  return db.transaction().execute(async (tx) => {
    await seen(tx, worker, now);
    for (const priority of PRIORITIES) {
      const wanted = { queue: queueOf(priority), worker, leaseMs: LEASE_MS, limit: 1, now: new Date(now) };
      for (;;) {
        const [job] = await claim(tx, wanted);
        if (job === undefined) break;
        if (await begin(tx, job, worker, now)) return { job, task: await readTask(tx, job.id) };
        await complete(tx, job);
      }
    }
    return undefined;
  });
}

/** False for a task that has ended, also when it does so here because its workers were lost too often. */
async function begin(tx: Transaction<SiteTables>, job: Job, worker: string, now: number): Promise<boolean> {
  const task = await tx
    .selectFrom('builder_task')
    .select(['state', 'attempts'])
    .where('id', '=', job.id)
    .forUpdate()
    .executeTakeFirstOrThrow();
  if (task.state !== 'queued' && task.state !== 'running') return false;
  if (task.state === 'running' && afterLoss(task.attempts) === 'failed') {
    await end(tx, job.id, { kind: 'failed', detail: lost(task.attempts) }, now);
    return false;
  }
  await tx
    .updateTable('builder_task')
    .set({ state: 'running', attempts: task.attempts + 1, worker, ...leased(now) })
    .where('id', '=', job.id)
    .execute();
  await note(tx, job.id, { kind: 'claimed', detail: `by ${worker}` }, now);
  return true;
}

/** Says that the worker is at it. Throws LeaseLost when the task is no longer the worker's. */
export async function beat(db: Kysely<SiteTables>, { job }: Claimed, now: number): Promise<void> {
  await db.transaction().execute((tx) => held(tx, job, now));
}

/** Writes down how far the worker is, with the end of the log so far. Throws LeaseLost. */
export async function report(
  db: Kysely<SiteTables>,
  { job }: Claimed,
  { logTail, ...event }: BuilderStep,
  now: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await held(tx, job, now);
    await note(tx, job.id, event, now);
    if (logTail !== undefined) await keepTail(tx, job.id, logTail);
  });
}

/** A step of the work, or its end. */
export interface BuilderStep extends Pick<BuilderEvent, 'kind' | 'detail'> {
  readonly logTail?: string;
}

/**
 * Ends a task as merged or failed, in the transaction of the caller. Throws LeaseLost when the task is no longer the worker's: then the
 * worker must not merge.
 */
export async function settle(
  tx: Transaction<SiteTables>,
  { job }: Claimed,
  { logTail, ...event }: BuilderStep & { readonly kind: 'merged' | 'failed' },
  now: number,
): Promise<void> {
  await complete(tx, job);
  if (logTail !== undefined) await keepTail(tx, job.id, logTail);
  await end(tx, job.id, event, now);
}

const LONGEST_TAIL = 16_000;

function leased(now: number) {
  return { heartbeat_at: new Date(now), lease_until: new Date(now + LEASE_MS) };
}

async function held(tx: Transaction<SiteTables>, job: Job, now: number): Promise<void> {
  await heartbeat(tx, job, LEASE_MS, new Date(now));
  const { worker } = await tx
    .updateTable('builder_task')
    .set(leased(now))
    .where('id', '=', job.id)
    .returning('worker')
    .executeTakeFirstOrThrow();
  if (worker !== null) await seen(tx, worker, now);
}

async function seen(tx: Transaction<SiteTables>, name: string, now: number): Promise<void> {
  const seen_at = new Date(now);
  await tx
    .insertInto('builder_worker')
    .values({ name, seen_at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ seen_at }))
    .execute();
}

async function keepTail(tx: Transaction<SiteTables>, task: string, tail: string): Promise<void> {
  await tx
    .updateTable('builder_task')
    .set({ log_tail: tail.slice(-LONGEST_TAIL) })
    .where('id', '=', task)
    .execute();
}
