import { addChangeFeed } from '@portolan/store';
import { sql, type ColumnType, type Generated, type Kysely } from 'kysely';

export const HYPOTHESIS_STATUSES = ['open', 'supported', 'refuted', 'parked'] as const;
export type HypothesisStatus = (typeof HYPOTHESIS_STATUSES)[number];

export const STANCES = ['for', 'against'] as const;
export type Stance = (typeof STANCES)[number];

export const HANDOFF_STATES = ['open', 'claimed', 'done', 'blocked'] as const;
export type HandoffState = (typeof HANDOFF_STATES)[number];

export const CONTACT_STAGES = ['lead', 'contacted', 'talking', 'agreed', 'lost'] as const;
export type ContactStage = (typeof CONTACT_STAGES)[number];

export const EXPERIMENT_STATES = ['planned', 'running', 'finished', 'abandoned'] as const;
export type ExperimentState = (typeof EXPERIMENT_STATES)[number];

export const RUN_OUTCOMES = ['succeeded', 'failed', 'stopped'] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

export const VERDICTS = ['confirmed', 'refuted', 'inconclusive'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** What an event of the control plane is about. */
export const SUBJECT_KINDS = [
  'hypothesis',
  'evidence',
  'handoff',
  'contact',
  'run',
  'experiment',
  'checkpoint',
  'verification',
] as const;
export type SubjectKind = (typeof SUBJECT_KINDS)[number];

type Instant = ColumnType<Date, Date, Date>;

/** Who wrote a row, and when. */
interface Written {
  readonly id: string;
  readonly by: string;
  readonly at: Instant;
}

/** What agents share: what they suppose, know, hand to each other and have done. */
export interface AgentTables {
  agent_hypothesis: Written & {
    statement: string;
    status: HypothesisStatus;
    /** 0 to 1. */
    confidence: number;
    version: number;
  };
  agent_evidence: Written & {
    readonly source: string;
    readonly content: string;
    /** SHA-256 of the content. */
    readonly hash: Buffer;
    readonly hypothesis: string | null;
    readonly stance: Stance | null;
  };
  agent_handoff: Written & {
    /** Actor who may claim it, as `kind:name`. */
    readonly addressee: string;
    readonly title: string;
    readonly body: string;
    readonly hypothesis: string | null;
    state: HandoffState;
    lease_until: Instant | null;
    /** What came of it, or what blocks it. */
    result: string | null;
    ended_at: Instant | null;
    /** Grows with every change: whoever holds a smaller one has lost the claim. */
    version: number;
  };
  agent_handoff_evidence: { readonly handoff: string; readonly evidence: string };
  agent_checkpoint: {
    readonly agent: string;
    readonly name: string;
    value: string;
    version: number;
    updated_at: Instant;
  };
  agent_contact: Written & {
    readonly name: string;
    organisation: string | null;
    stage: ContactStage;
    note: string | null;
    version: number;
    updated_at: Instant;
  };
  agent_run: Written & {
    readonly goal: string;
    readonly outcome: RunOutcome;
    readonly summary: string;
    readonly started_at: Instant;
    readonly ended_at: Instant;
  };
  agent_experiment: Written & {
    readonly hypothesis: string | null;
    readonly title: string;
    plan: string;
    state: ExperimentState;
    result: string | null;
    version: number;
  };
  agent_verification: Written & {
    readonly subject_kind: 'hypothesis' | 'experiment' | 'handoff' | 'evidence';
    readonly subject: string;
    readonly verdict: Verdict;
    readonly method: string;
  };
  /** What happened, in order. */
  agent_event: Written & {
    readonly n: Generated<number>;
    readonly kind: SubjectKind;
    /** Id, or for a checkpoint its name. */
    readonly subject: string;
    readonly what: string;
  };
}

const oneOf = (values: readonly string[]) => sql.join(values.map((one) => sql.lit(one)));
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
