import { sql, type ColumnType, type Generated, type Kysely } from 'kysely';
import { oneOf } from '../columns/one-of.ts';

/** The most urgent first. */
export const PRIORITIES = ['high', 'normal', 'low'] as const;
export type Priority = (typeof PRIORITIES)[number];

export const TASK_STATES = ['queued', 'running', 'merged', 'failed', 'cancelled'] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** What can happen to a task, in the words of its events. */
export const EVENT_KINDS = [
  'queued',
  'claimed',
  'agent',
  'ci',
  'review',
  'recovered',
  'merged',
  'failed',
  'cancelled',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

type Instant = ColumnType<Date, Date, Date>;

/** What the builder is to do, and who is at it. The lease itself is a job of the store with the same id. */
export interface BuilderTables {
  builder_task: {
    readonly id: string;
    readonly title: string;
    readonly instructions: string;
    /** How one sees that it is done. */
    readonly acceptance: string;
    readonly priority: Priority;
    state: TaskState;
    readonly queued_by: string;
    readonly queued_at: Instant;
    /** How often a worker has begun. */
    attempts: Generated<number>;
    worker: string | null;
    heartbeat_at: Instant | null;
    lease_until: Instant | null;
    ended_at: Instant | null;
    /** Why it failed. */
    reason: string | null;
    /** The end of what the agent and CI have written. */
    log_tail: string | null;
  };
  builder_event: {
    /** Grows with every event: those of one moment have an order too. */
    readonly n: Generated<number>;
    readonly task: string;
    readonly at: Instant;
    readonly kind: EventKind;
    readonly detail: string;
  };
  /** A worker process, from its first claim. */
  builder_worker: { readonly name: string; seen_at: Instant };
}

/** Migration: the builder's tasks, their events, and its workers. */
export async function createBuilder(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table builder_task (
      id uuid primary key,
      title text not null check (length(title) between 1 and 200),
      instructions text not null check (length(instructions) between 1 and 20000),
      acceptance text not null check (length(acceptance) between 1 and 8000),
      priority text not null check (priority in (${oneOf(PRIORITIES)})),
      state text not null check (state in (${oneOf(TASK_STATES)})),
      queued_by text not null,
      queued_at timestamptz not null,
      attempts int not null default 0 check (attempts >= 0),
      worker text,
      heartbeat_at timestamptz,
      lease_until timestamptz,
      ended_at timestamptz,
      reason text check (length(reason) between 1 and 4000),
      log_tail text check (length(log_tail) <= 16000),
      check ((state = 'running') = (worker is not null) and (state = 'running') = (heartbeat_at is not null)
        and (state = 'running') = (lease_until is not null)),
      check ((state in ('merged', 'failed', 'cancelled')) = (ended_at is not null)),
      check ((state = 'failed') = (reason is not null))
    )`.execute(db);
  await sql`create index builder_task_state on builder_task (state, id desc)`.execute(db);
  await sql`
    create table builder_event (
      n bigint primary key generated always as identity,
      task uuid not null references builder_task,
      at timestamptz not null,
      kind text not null check (kind in (${oneOf(EVENT_KINDS)})),
      detail text not null check (length(detail) <= 4000)
    )`.execute(db);
  await sql`create index builder_event_task on builder_event (task, n)`.execute(db);
  await sql`
    create table builder_worker (
      name text primary key check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$'),
      seen_at timestamptz not null
    )`.execute(db);
  await sql`create function builder_ended() returns trigger language plpgsql as $$
    begin raise exception 'a builder task that has ended stays as it is'; end $$`.execute(db);
  await sql`create trigger ended before update on builder_task
    for each row when (old.ended_at is not null) execute function builder_ended()`.execute(db);
}
