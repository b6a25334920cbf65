import { sql, type Kysely } from 'kysely';
import { throttleTable } from '@portolan/http';
import type { Migration } from '@portolan/store';

/** Every step of the database, in order. A released step never changes. */
export const migrations: readonly Migration[] = [
  { name: '0001_embed_tokens', up: createTokens },
  { name: '0002_chats', up: createChats },
  { name: '0003_models_and_usage', up: addModelsAndUsage },
  { name: '0004_diagnostics_and_throttles', up: addDiagnosticsAndThrottles },
  { name: '0005_tools', up: createTools },
];

async function createTokens(db: Kysely<unknown>): Promise<void> {
  await sql`create table embed_token (
    id uuid primary key, visitor_id text not null, expires_at timestamptz not null,
    host_mcp bytea, revoked_at timestamptz
  )`.execute(db);
  await sql`create index on embed_token (expires_at)`.execute(db);
}

/** One turn of a chat at a time is a rule of the database: a second running or waiting one cannot be written. */
async function createChats(db: Kysely<unknown>): Promise<void> {
  await sql`create table chat (
    id uuid primary key, visitor_id text not null, title text not null, preview text not null,
    created_at timestamptz not null, updated_at timestamptz not null
  )`.execute(db);
  await sql`create index on chat (visitor_id, updated_at desc, id desc)`.execute(db);
  await sql`create table turn (
    id uuid primary key, chat_id uuid not null references chat on delete cascade, ordinal int not null,
    status text not null check (status in ('running', 'waiting', 'done', 'stopped', 'max_steps', 'error')),
    message json not null, context json not null, client_tools json not null, entries json not null,
    steps int not null default 0, last_event int not null default 0, fence int not null default 0,
    node text, lease_until timestamptz, stop_requested boolean not null default false,
    created_at timestamptz not null, unique (chat_id, ordinal),
    check ((status = 'running') = (node is not null and lease_until is not null))
  )`.execute(db);
  await sql`create unique index on turn (chat_id) where status in ('running', 'waiting')`.execute(db);
  await sql`create index on turn (lease_until) where status = 'running'`.execute(db);
  await sql`create table event (
    turn_id uuid not null references turn on delete cascade, id int not null, body json not null,
    primary key (turn_id, id)
  )`.execute(db);
  await sql`create table segment_log (
    turn_id uuid not null references turn on delete cascade, position int not null, body json not null,
    primary key (turn_id, position)
  )`.execute(db);
}

/** Which model a turn asked for, and what turns have cost: figures without a visitor or a word of theirs. */
async function addModelsAndUsage(db: Kysely<unknown>): Promise<void> {
  await sql`alter table turn add column model text`.execute(db);
  await sql`create table usage (
    id bigint generated always as identity primary key, at timestamptz not null, policy text,
    input_tokens int not null, output_tokens int not null
  )`.execute(db);
  await sql`create index on usage (at)`.execute(db);
}

async function addDiagnosticsAndThrottles(db: Kysely<unknown>): Promise<void> {
  await sql`alter table turn add column tools json`.execute(db);
  await sql.raw(throttleTable('sveda')).execute(db);
}

/** What chats remember of tools, and which hosts asked for the newer revision. */
async function createTools(db: Kysely<unknown>): Promise<void> {
  await sql`create table chat_tools (
    chat_id uuid primary key references chat on delete cascade, memory json not null
  )`.execute(db);
  await sql`create table host_verdict (url_hash bytea primary key, decided_at timestamptz not null)`.execute(
    db,
  );
}
