import { sql, type ColumnType, type Kysely } from 'kysely';
import { createBatches, type BatchTables } from './batch-tables.ts';
import type { LetterText } from './templates.ts';

type Instant = ColumnType<Date, Date, Date>;
/** JSON that is written as text. */
type Json<Value> = ColumnType<Value, string, string>;

/** What invitations say, to whom, and the batches that are made of both. */
export interface SendingTables extends BatchTables {
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
