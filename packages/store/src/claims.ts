import { type QueryExecutorProvider, sql } from 'kysely';
import { LeaseLost } from './errors.ts';

/** Work to be done later by whoever claims it. */
export interface NewJob<Payload = unknown> {
  readonly id: string;
  readonly queue: string;
  /** JSON. Send ids and let the worker read the rest. */
  readonly payload: Payload;
  /** While a job of this queue with this key is waiting or running, another one is not added. */
  readonly dedupeKey?: string;
  /** When it becomes due; `now` if left out. */
  readonly dueAt?: Date;
  readonly maxAttempts: number;
}

/** A job in the hands of one worker, until its lease ends. */
export interface Job<Payload = unknown> {
  readonly id: string;
  readonly queue: string;
  readonly payload: Payload;
  /** 1 at the first try. */
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Grows with every claim of this job: whoever holds a smaller one has lost it. Hand it to outside systems that can compare. */
  readonly fence: number;
}

/** Which jobs to take, for whom and for how long. */
export interface ClaimOptions {
  readonly queue: string;
  readonly worker: string;
  readonly leaseMs: number;
  readonly limit: number;
  readonly now: Date;
}

/** Adds a job in the transaction of the change that causes it. False when the dedupe key is taken. */
export async function enqueue(tx: QueryExecutorProvider, job: NewJob, now: Date): Promise<boolean> {
  const added = await sql`
    insert into store_job (id, queue, payload, dedupe_key, due_at, max_attempts, created_at)
    values (${job.id}, ${job.queue}, ${JSON.stringify(job.payload)}, ${job.dedupeKey ?? null}, ${job.dueAt ?? now},
      ${job.maxAttempts}, ${now})
    on conflict (queue, dedupe_key) where state <> 'dead' do nothing
    returning pg_notify(${jobChannel(job.queue)}, id::text)`.execute(tx);
  return added.rows.length === 1;
}

/** The channel on which `enqueue` wakes the workers of a queue. */
export function jobChannel(queue: string): string {
  return `job_${queue}`;
}

/**
 * Takes up to `limit` due jobs, among them those whose worker let its lease end. Jobs whose attempts are used up by workers that
 * died go to the dead letters instead.
 */
export async function claim<Payload>(
  db: QueryExecutorProvider,
  { queue, worker, leaseMs, limit, now }: ClaimOptions,
): Promise<readonly Job<Payload>[]> {
  const taken = await sql<Job<Payload>>`
    with due as (
      select id, due_at from store_job where queue = ${queue} and state <> 'dead' and due_at <= ${now}
      order by due_at, id limit ${limit} for update skip locked
    ), taken as (
      update store_job job set
        state = case when attempts < max_attempts then 'running' else 'dead' end,
        attempts = least(attempts + 1, max_attempts),
        last_error = case when attempts < max_attempts then last_error else 'the worker was lost' end,
        fence = fence + 1, worker = ${worker}, due_at = ${later(now, leaseMs)}
      from due where job.id = due.id
      returning job.*, due.due_at as was_due
    )
    select id, queue, payload, attempts as attempt, max_attempts as "maxAttempts", fence
    from taken where state = 'running' order by was_due, id`.execute(db);
  return taken.rows;
}

/** Lengthens the lease to `now + leaseMs`. Throws LeaseLost when the job is no longer this worker's. */
export async function heartbeat(
  db: QueryExecutorProvider,
  job: Job,
  leaseMs: number,
  now: Date,
): Promise<void> {
  await holding(
    job,
    sql`update store_job set due_at = ${later(now, leaseMs)}
      where id = ${job.id} and fence = ${job.fence} and state = 'running' returning id`.execute(db),
  );
}

/**
 * Removes a finished job. In the transaction that writes its effect: throws LeaseLost when the job was claimed anew, and the effect
 * is rolled back with it.
 */
export async function complete(tx: QueryExecutorProvider, job: Job): Promise<void> {
  await holding(
    job,
    sql`delete from store_job where id = ${job.id} and fence = ${job.fence} and state = 'running'
      returning id`.execute(tx),
  );
}

/** How a try ended badly. */
export interface Failure {
  /** Kept with the job for the operator: no secrets. */
  readonly error: string;
  readonly now: Date;
  /** Milliseconds until the next try; `never` sends the job to the dead letters at once. */
  readonly retryInMs: number | 'never';
}

/** Gives the job back for a later try, or to the dead letters when its attempts are used up. Throws LeaseLost. */
export async function fail(
  tx: QueryExecutorProvider,
  job: Job,
  { error, now, retryInMs }: Failure,
): Promise<'retries' | 'dead'> {
  const dead = retryInMs === 'never' || job.attempt >= job.maxAttempts;
  const dueAt = dead ? now : later(now, retryInMs);
  await holding(
    job,
    sql`update store_job set state = ${dead ? 'dead' : 'ready'}, due_at = ${dueAt}, worker = null,
      last_error = ${error.slice(0, MAX_ERROR)}
      where id = ${job.id} and fence = ${job.fence} and state = 'running' returning id`.execute(tx),
  );
  return dead ? 'dead' : 'retries';
}

/**
 * Takes a job away from its worker (which will meet LeaseLost) or out of the dead letters, to be tried anew from `now` with all its
 * attempts. False when there is no such job.
 */
export async function revoke(tx: QueryExecutorProvider, id: string, now: Date): Promise<boolean> {
  const changed = await sql`
    update store_job set state = 'ready', due_at = ${now}, attempts = 0, fence = fence + 1, worker = null
    where id = ${id} returning pg_notify('job_' || queue, id::text)`.execute(tx);
  return changed.rows.length === 1;
}

/** Milliseconds until try number `attempt + 1`: doubles from `firstMs`, at most `capMs`. */
export function backoff(attempt: number, firstMs: number, capMs: number): number {
  return Math.min(capMs, firstMs * 2 ** (attempt - 1));
}

const MAX_ERROR = 2_000;

async function holding(job: Job, change: Promise<{ readonly rows: readonly unknown[] }>): Promise<void> {
  const { rows } = await change;
  if (rows.length === 0) throw new LeaseLost(job.id);
}

function later(now: Date, ms: number): Date {
  return new Date(now.getTime() + ms);
}
