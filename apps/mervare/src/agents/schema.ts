import { addChangeFeed } from '@portolan/store';
import { sql, type Kysely } from 'kysely';
import { oneOf } from '../columns/one-of.ts';
import {
  CONTACT_STAGES,
  EXPERIMENT_STATES,
  HANDOFF_STATES,
  HYPOTHESIS_STATUSES,
  RUN_OUTCOMES,
  STANCES,
  SUBJECT_KINDS,
  VERDICTS,
} from './tables.ts';

const written = sql`id uuid primary key, "by" text not null, at timestamptz not null`;
const text = (column: string, most: number) =>
  sql`${sql.ref(column)} text not null check (length(${sql.ref(column)}) between 1 and ${sql.lit(most)})`;
const maybeText = (column: string, most: number) =>
  sql`${sql.ref(column)} text check (length(${sql.ref(column)}) between 1 and ${sql.lit(most)})`;
const version = sql`version int not null check (version > 0)`;

/** Migration: the control plane of the agents. What is append-only is so by trigger. */
export async function createAgents(db: Kysely<unknown>): Promise<void> {
  await createKnowledge(db);
  await createHandoffs(db);
  await createWork(db);
  await sql`
    create table agent_event (
      ${written}, n bigint not null unique generated always as identity,
      kind text not null check (kind in (${oneOf(SUBJECT_KINDS)})), subject text not null, what text not null
    )`.execute(db);
  await addChangeFeed(db, 'agent_event');
  await sql`create function agent_append_only() returns trigger language plpgsql as $$
    begin raise exception 'rows of % are added and stay', tg_table_name; end $$`.execute(db);
  for (const table of ['agent_evidence', 'agent_run', 'agent_verification', 'agent_event'])
    await sql`create trigger append_only before update or delete on ${sql.table(table)}
      for each row execute function agent_append_only()`.execute(db);
}

async function createKnowledge(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agent_hypothesis (
      ${written}, ${text('statement', 2000)},
      status text not null check (status in (${oneOf(HYPOTHESIS_STATUSES)})),
      confidence double precision not null check (confidence between 0 and 1),
      ${version}
    )`.execute(db);
  await sql`
    create table agent_evidence (
      ${written}, ${text('source', 500)}, ${text('content', 20_000)},
      hash bytea not null check (length(hash) = 32),
      hypothesis uuid references agent_hypothesis,
      stance text check (stance in (${oneOf(STANCES)})),
      check ((hypothesis is null) = (stance is null)),
      unique nulls not distinct (hash, source, hypothesis)
    )`.execute(db);
  await sql`create index agent_evidence_hypothesis on agent_evidence (hypothesis, id)`.execute(db);
  await sql`
    create table agent_verification (
      ${written},
      subject_kind text not null check (subject_kind in ('hypothesis', 'experiment', 'handoff', 'evidence')),
      subject uuid not null,
      verdict text not null check (verdict in (${oneOf(VERDICTS)})),
      ${text('method', 4000)}
    )`.execute(db);
}

async function createHandoffs(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agent_handoff (
      ${written}, addressee text not null, ${text('title', 200)}, ${text('body', 20_000)},
      hypothesis uuid references agent_hypothesis,
      state text not null check (state in (${oneOf(HANDOFF_STATES)})),
      lease_until timestamptz,
      ${maybeText('result', 20_000)},
      ended_at timestamptz,
      ${version},
      check ((state = 'claimed') = (lease_until is not null)),
      check ((state in ('done', 'blocked')) = (ended_at is not null)),
      check ((state in ('done', 'blocked')) = (result is not null))
    )`.execute(db);
  await sql`create index agent_handoff_addressee on agent_handoff (addressee, id)
    where state in ('open', 'claimed')`.execute(db);
  await sql`
    create table agent_handoff_evidence (
      handoff uuid not null references agent_handoff,
      evidence uuid not null references agent_evidence,
      primary key (handoff, evidence)
    )`.execute(db);
}

async function createWork(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agent_checkpoint (
      agent text not null,
      name text not null check (length(name) between 1 and 200),
      value text not null check (length(value) between 1 and 65536),
      ${version},
      updated_at timestamptz not null,
      primary key (agent, name)
    )`.execute(db);
  await sql`
    create table agent_contact (
      ${written}, ${text('name', 200)}, ${maybeText('organisation', 200)},
      stage text not null check (stage in (${oneOf(CONTACT_STAGES)})),
      ${maybeText('note', 4000)}, ${version}, updated_at timestamptz not null
    )`.execute(db);
  await sql`
    create table agent_run (
      ${written}, ${text('goal', 2000)},
      outcome text not null check (outcome in (${oneOf(RUN_OUTCOMES)})),
      ${text('summary', 8000)},
      started_at timestamptz not null,
      ended_at timestamptz not null,
      check (started_at <= ended_at)
    )`.execute(db);
  await sql`
    create table agent_experiment (
      ${written}, hypothesis uuid references agent_hypothesis, ${text('title', 200)}, ${text('plan', 8000)},
      state text not null check (state in (${oneOf(EXPERIMENT_STATES)})),
      ${maybeText('result', 8000)}, ${version},
      check (state <> 'finished' or result is not null)
    )`.execute(db);
}

/** Migration: the letters of agents, whose text is frozen by trigger, and events about them. */
export async function createAgentMail(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agent_mail (
      ${written}, addressee text not null check (length(addressee) between 3 and 254),
      ${text('subject', 300)}, ${text('text', 50_000)},
      digest bytea not null check (length(digest) = 32),
      enqueued_at timestamptz,
      enqueued_by text,
      check ((enqueued_at is null) = (enqueued_by is null))
    )`.execute(db);
  await sql`create function agent_mail_frozen() returns trigger language plpgsql as $$
    begin raise exception 'a letter stays as it was prepared'; end $$`.execute(db);
  await sql`create trigger frozen before update on agent_mail for each row
    when ((old.addressee, old.subject, old.text, old.digest)
      is distinct from (new.addressee, new.subject, new.text, new.digest) or old.enqueued_at is not null)
    execute function agent_mail_frozen()`.execute(db);
  await sql`alter table agent_event drop constraint agent_event_kind_check`.execute(db);
  await sql`alter table agent_event add constraint agent_event_kind_check
    check (kind in (${oneOf(SUBJECT_KINDS)}))`.execute(db);
}
