import { sql, type ColumnType, type Kysely } from 'kysely';
import type { Question } from './question.ts';

export const EDITION_STATES = ['draft', 'published', 'paused', 'closed'] as const;
export type EditionState = (typeof EDITION_STATES)[number];

type Instant = ColumnType<Date, Date, Date>;

/** Surveys, their editions, and what was answered. */
export interface SurveyTables {
  survey: { readonly id: string; readonly by: string; readonly at: Instant };
  /** One version of a survey. Only a draft changes; answers belong to the edition that was answered. */
  survey_edition: {
    readonly survey: string;
    /** 1, 2, 3, … */
    readonly edition: number;
    state: EditionState;
    title: string;
    intro: string | null;
    language: string;
    questions: ColumnType<readonly Question[], string, string>;
    readonly by: string;
    readonly at: Instant;
    updated_at: Instant;
    published_at: Instant | null;
    closed_at: Instant | null;
    /** Grows with every change of text or state. */
    version: number;
  };
  survey_response: {
    readonly id: string;
    readonly survey: string;
    readonly edition: number;
    readonly at: Instant;
    /** By id of the question. */
    readonly answers: ColumnType<Readonly<Record<string, unknown>>, string, never>;
  };
  /** An analysis that is kept. */
  survey_artifact: {
    readonly id: string;
    readonly survey: string;
    readonly edition: number;
    readonly title: string;
    readonly content: ColumnType<unknown, string, never>;
    /** It holds words of respondents. */
    readonly has_open_answers: boolean;
    readonly responses: number;
    /** The last response that it counts. */
    readonly high_water: string | null;
    readonly by: string;
    readonly at: Instant;
  };
}

/** Migration: surveys. What was published is frozen by trigger, and of each survey one edition at a time is a draft, and one is open. */
export async function createSurveys(db: Kysely<unknown>): Promise<void> {
  await sql`create table survey (id uuid primary key, "by" text not null, at timestamptz not null)`.execute(
    db,
  );
  await sql`
    create table survey_edition (
      survey uuid not null references survey,
      edition int not null check (edition > 0),
      state text not null check (state in ('draft', 'published', 'paused', 'closed')),
      title text not null check (length(title) <= 200),
      intro text check (length(intro) between 1 and 4000),
      language text not null check (length(language) <= 35),
      questions jsonb not null check (jsonb_typeof(questions) = 'array'),
      "by" text not null,
      at timestamptz not null,
      updated_at timestamptz not null,
      published_at timestamptz,
      closed_at timestamptz,
      version int not null check (version > 0),
      primary key (survey, edition),
      check ((state = 'draft') = (published_at is null)),
      check ((state = 'closed') = (closed_at is not null))
    )`.execute(db);
  await sql`create unique index survey_one_draft on survey_edition (survey) where state = 'draft'`.execute(
    db,
  );
  await sql`create unique index survey_one_open on survey_edition (survey)
    where state in ('published', 'paused')`.execute(db);
  await sql`
    create table survey_response (
      id uuid primary key,
      survey uuid not null,
      edition int not null,
      at timestamptz not null,
      answers jsonb not null check (jsonb_typeof(answers) = 'object'),
      foreign key (survey, edition) references survey_edition
    )`.execute(db);
  await sql`create index survey_response_newest on survey_response (survey, edition, id)`.execute(db);
  await sql`
    create table survey_artifact (
      id uuid primary key,
      survey uuid not null,
      edition int not null,
      title text not null check (length(title) between 1 and 200),
      content jsonb not null,
      has_open_answers boolean not null,
      responses int not null check (responses >= 0),
      high_water uuid,
      "by" text not null,
      at timestamptz not null,
      foreign key (survey, edition) references survey_edition
    )`.execute(db);
  await sql`create index survey_artifact_newest on survey_artifact (survey, id)`.execute(db);
  await freeze(db);
}

async function freeze(db: Kysely<unknown>): Promise<void> {
  await sql`create function survey_frozen() returns trigger language plpgsql as $$
    begin raise exception 'what respondents have seen or said stays as it is'; end $$`.execute(db);
  await sql`create trigger frozen before update on survey_edition for each row
    when (old.state <> 'draft' and (old.title, old.intro, old.language, old.questions)
      is distinct from (new.title, new.intro, new.language, new.questions))
    execute function survey_frozen()`.execute(db);
  await sql`create trigger frozen before update on survey_response for each row
    execute function survey_frozen()`.execute(db);
}
