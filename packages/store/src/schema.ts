import { type Kysely, sql } from 'kysely';
import type { Migration } from './migrate.ts';

/** The store's own tables, made before the app's. All names begin with `store_`. */
export const own: readonly Migration[] = [{ name: 'store_0001_jobs_and_roles', up: jobsAndRoles }];

/**
 * `due_at` serves twice: when a ready job becomes due, and when a running job's lease ends. So one index and one comparison find
 * both kinds of work.
 */
async function jobsAndRoles(db: Kysely<unknown>): Promise<void> {
  await sql`create table store_job (
    id uuid primary key,
    queue text not null,
    payload jsonb not null,
    dedupe_key text,
    state text not null default 'ready' check (state in ('ready', 'running', 'dead')),
    due_at timestamptz not null,
    attempts int not null default 0,
    max_attempts int not null check (max_attempts > 0),
    fence int not null default 0,
    worker text,
    last_error text,
    created_at timestamptz not null
  )`.execute(db);
  await sql`create index store_job_due on store_job (queue, due_at, id) where state <> 'dead'`.execute(db);
  await sql`create unique index store_job_dedupe on store_job (queue, dedupe_key) where state <> 'dead'`.execute(
    db,
  );
  await sql`create table store_role (name text primary key, password text not null)`.execute(db);
}
