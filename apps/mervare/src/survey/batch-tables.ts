import { sql, type ColumnType, type Generated, type Kysely } from 'kysely';

export const BATCH_STATES = ['prepared', 'running', 'halted', 'done'] as const;
export type BatchState = (typeof BATCH_STATES)[number];

type Instant = ColumnType<Date, Date, Date>;

/** Letters that are frozen together, and sent together. */
export interface BatchTables {
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

/** What `createSending` makes of batches: the rules that the database can hold. */
export async function createBatches(db: Kysely<unknown>): Promise<void> {
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
