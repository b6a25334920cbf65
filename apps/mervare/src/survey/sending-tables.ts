import { sql, type ColumnType, type Generated, type Kysely } from 'kysely';
import type { LetterText } from './templates.ts';

export const BATCH_STATES = ['prepared', 'running', 'halted', 'done'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

type Instant = ColumnType<Date, Date, Date>;
/** JSON that is written as text. */
type Json<Value> = ColumnType<Value, string, string>;

/** What invitations say, to whom, and the batches that are made of both. */
export interface SendingTables {
  survey_template: {
    readonly id: string;
    readonly by: string;
    readonly at: Instant;
    /** Grows with every save. */
    version: number;
  };
  /** One version of a template. Once a letter was made of it, it stays as it is. */
  survey_template_edition: {
    readonly template: string;
    /** 1, 2, 3, … */
    readonly edition: number;
    name: string;
    placeholders: Json<readonly string[]>;
    texts: Json<readonly LetterText[]>;
    readonly by: string;
    updated_at: Instant;
    used_at: Instant | null;
  };
  /** What is known of one addressee. */
  survey_context: {
    readonly id: string;
    email: string;
    person: string;
    /** LOCODE. */
    harbour: string | null;
    language: string;
    facts: Json<Readonly<Record<string, string>>>;
    readonly by: string;
    readonly at: Instant;
    updated_at: Instant;
    version: number;
  };
  survey_batch: {
    readonly id: string;
    readonly survey: string;
    readonly edition: number;
    readonly template: string;
    readonly template_edition: number;
    readonly expires_at: Instant | null;
    /** SHA-256 of the list and all texts. */
    readonly digest: Buffer;
    readonly by: string;
    readonly at: Instant;
    state: BatchState;
    /** Who had it executed: the name that its invitations carry. */
    executed_by: string | null;
    executed_at: Instant | null;
    ended_at: Instant | null;
    /** Why it was halted. */
    reason: string | null;
  };
  /** One letter of a batch, as it was frozen: what it says, and to whom, is kept only until it is in the outbox. */
  survey_batch_letter: {
    readonly batch: string;
    readonly n: number;
    readonly context: string;
    /** Name and address. */
    person: string | null;
    addressee: string | null;
    readonly language: string;
    subject: string | null;
    /** The parts between which the link stands. */
    body: string[] | null;
    /** Made when its turn came; empty where the addressee had one of another origin by then. */
    invitation: string | null;
    done: Generated<boolean>;
  };
}

/** Migration: templates, contexts and batches. Rules that the database can hold stand here. */
export async function createSending(db: Kysely<unknown>): Promise<void> {
  await createTemplates(db);
  await sql`
    create table survey_context (
      id uuid primary key,
      email text not null check (length(email) between 3 and 254 and email !~ '[[:cntrl:][:space:]]'),
      person text not null check (length(person) between 1 and 200),
      harbour text references harbour,
      language text not null check (length(language) between 1 and 35),
      facts jsonb not null check (jsonb_typeof(facts) = 'object'),
      "by" text not null,
      at timestamptz not null,
      updated_at timestamptz not null,
      version int not null check (version > 0)
    )`.execute(db);
  await sql`create index survey_context_harbour on survey_context (harbour, id)`.execute(db);
  await createBatches(db);
}

async function createTemplates(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table survey_template (
      id uuid primary key,
      "by" text not null,
      at timestamptz not null,
      version int not null check (version > 0)
    )`.execute(db);
  await sql`
    create table survey_template_edition (
      template uuid not null references survey_template,
      edition int not null check (edition > 0),
      name text not null check (length(name) between 1 and 200),
      placeholders jsonb not null check (jsonb_typeof(placeholders) = 'array'),
      texts jsonb not null check (jsonb_typeof(texts) = 'array'),
      "by" text not null,
      updated_at timestamptz not null,
      used_at timestamptz,
      primary key (template, edition)
    )`.execute(db);
  await sql`create function survey_template_used() returns trigger language plpgsql as $$
    begin raise exception 'a template that was used stays as it is'; end $$`.execute(db);
  await sql`create trigger used before update on survey_template_edition for each row
    when (old.used_at is not null) execute function survey_template_used()`.execute(db);
}

async function createBatches(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table survey_batch (
      id uuid primary key,
      survey uuid not null,
      edition int not null,
      template uuid not null,
      template_edition int not null,
      expires_at timestamptz,
      digest bytea not null check (length(digest) = 32),
      "by" text not null,
      at timestamptz not null,
      state text not null check (state in ('prepared', 'running', 'halted', 'done')),
      executed_by text,
      executed_at timestamptz,
      ended_at timestamptz,
      reason text,
      foreign key (survey, edition) references survey_edition,
      foreign key (template, template_edition) references survey_template_edition,
      check ((state = 'prepared') = (executed_at is null) and (executed_at is null) = (executed_by is null)),
      check ((state = 'done') = (ended_at is not null)),
      check ((state = 'halted') = (reason is not null))
    )`.execute(db);
  await sql`
    create table survey_batch_letter (
      batch uuid not null references survey_batch,
      n int not null check (n >= 0),
      context uuid not null,
      person text,
      addressee text,
      language text not null,
      subject text,
      body text[],
      invitation uuid unique,
      done boolean not null default false,
      primary key (batch, n),
      unique (batch, addressee),
      check (done or invitation is null),
      check (done = (person is null) and done = (addressee is null) and done = (subject is null) and done = (body is null))
    )`.execute(db);
  await sql`create index survey_batch_letter_waiting on survey_batch_letter (batch, n) where not done`.execute(
    db,
  );
}
