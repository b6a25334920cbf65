import { addChangeFeed } from '@portolan/store';
import { sql, type Kysely } from 'kysely';
import { oneOf } from '../columns/one-of.ts';
import { RESOURCE_KINDS, RESOURCE_STATUSES } from './tables.ts';

const written = sql`id uuid primary key, "by" text not null, at timestamptz not null`;
const aboutResource = sql`${written}, workspace uuid not null, resource uuid not null,
  foreign key (workspace, resource) references funding_resource (workspace, id)`;

/** Migration: the funding workspaces. What is final is so by trigger, and what belongs together by foreign key. */
export async function createFunding(db: Kysely<unknown>): Promise<void> {
  await createContents(db);
  await createAccess(db);
  await sql`
    create table funding_change (
      ${written}, workspace uuid references funding_workspace, kind text not null, subject uuid, what text not null
    )`.execute(db);
  await addChangeFeed(db, 'funding_change');
  await makeFinal(db);
}

async function createContents(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table funding_workspace (
      ${written},
      name text not null check (length(name) between 1 and 200),
      purpose text not null check (length(purpose) between 1 and 4000)
    )`.execute(db);
  await sql`
    create table funding_resource (
      ${written},
      workspace uuid not null references funding_workspace,
      kind text not null check (kind in (${oneOf(RESOURCE_KINDS)})),
      name text not null check (length(name) between 1 and 200),
      url text check (length(url) between 1 and 2000),
      summary text check (length(summary) between 1 and 4000),
      amount_eur bigint check (amount_eur >= 0),
      deadline date,
      status text not null check (status in (${oneOf(RESOURCE_STATUSES)})),
      version int not null check (version > 0),
      unique (workspace, id)
    )`.execute(db);
  await sql`
    create table funding_correction (
      ${written},
      resource uuid not null references funding_resource,
      field text not null,
      old_value jsonb not null,
      new_value jsonb not null,
      why text not null check (length(why) between 1 and 2000)
    )`.execute(db);
  await sql`create index funding_correction_resource on funding_correction (resource, id)`.execute(db);
  await sql`
    create table funding_comment (
      ${aboutResource}, text text not null check (length(text) between 1 and 8000)
    )`.execute(db);
  await sql`
    create table funding_assessment (
      ${aboutResource},
      score int not null check (score between 1 and 5),
      text text not null check (length(text) between 1 and 8000)
    )`.execute(db);
  await sql`
    create table funding_action (
      ${aboutResource},
      title text not null check (length(title) between 1 and 200),
      rationale text not null check (length(rationale) between 1 and 8000),
      decision text check (decision in ('approved', 'rejected')),
      reason text check (length(reason) between 1 and 2000),
      decided_by text,
      decided_at timestamptz,
      check (decided_by <> "by"),
      check ((decision is null) = (decided_by is null) and (decision is null) = (decided_at is null)
        and (decision is null) = (reason is null))
    )`.execute(db);
  await sql`
    create table funding_inbox_item (
      ${aboutResource},
      recipient text not null,
      kind text not null check (kind in ('comment', 'decision')),
      subject uuid not null,
      acknowledged_at timestamptz,
      unique (recipient, subject)
    )`.execute(db);
  for (const table of ['comment', 'assessment', 'action'])
    await sql`create index ${sql.id(`funding_${table}_resource`)} on ${sql.id(`funding_${table}`)} (resource, id)`.execute(
      db,
    );
}

async function createAccess(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table funding_grant (
      ${written},
      workspace uuid not null references funding_workspace,
      role text not null check (role in ('collaborator', 'agent', 'service')),
      name text not null check (name ~ '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$'),
      person uuid references person on delete cascade,
      secret_hash bytea unique check (length(secret_hash) = 32),
      revoked_by text,
      revoked_at timestamptz,
      check ((person is null) <> (secret_hash is null)),
      check ((revoked_by is null) = (revoked_at is null))
    )`.execute(db);
  await sql`create unique index funding_grant_name on funding_grant (lower(name))`.execute(db);
  await sql`create unique index funding_grant_person on funding_grant (person) where revoked_at is null`.execute(
    db,
  );
  await sql`
    create table funding_switch (
      only_row boolean primary key default true check (only_row),
      paused_at timestamptz,
      paused_by text,
      reason text,
      check ((paused_at is null) = (paused_by is null) and (paused_at is null) = (reason is null))
    )`.execute(db);
  await sql`insert into funding_switch default values`.execute(db);
}

/** Rows that nobody may change once they stand. */
async function makeFinal(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function funding_final() returns trigger language plpgsql as $$
      begin raise exception 'a row of % is final', tg_table_name; end $$`.execute(db);
  for (const table of ['funding_comment', 'funding_assessment', 'funding_correction'])
    await sql`create trigger final before update or delete on ${sql.id(table)}
      for each row execute function funding_final()`.execute(db);
  await sql`create trigger final before update on funding_action
    for each row when (old.decision is not null) execute function funding_final()`.execute(db);
  await sql`create trigger final before update on funding_grant
    for each row when (old.revoked_at is not null) execute function funding_final()`.execute(db);
}
