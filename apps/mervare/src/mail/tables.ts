import { sql, type ColumnType, type Kysely } from 'kysely';
import { oneOf } from '../columns/one-of.ts';

/** Letters of surveys and letters of agents wait apart, so that those of agents can be stopped alone. */
export const LANES = ['survey', 'agents'] as const;
export type Lane = (typeof LANES)[number];

export const LETTER_STATES = ['queued', 'sending', 'sent', 'bounced', 'suppressed', 'withdrawn'] as const;
export type LetterState = (typeof LETTER_STATES)[number];

/** A person’s answer, the answer of a machine such as “out of office”, or the report of a mail server that it could not deliver. */
export const REPLY_KINDS = ['reply', 'automatic', 'bounce'] as const;
export type ReplyKind = (typeof REPLY_KINDS)[number];

type Instant = ColumnType<Date, Date, Date>;

/** What is sent, to whom nothing is sent, and what comes back. The lease of a delivery is a job of the store with the letter’s id. */
export interface MailTables {
  mail_letter: {
    readonly id: string;
    readonly lane: Lane;
    /** What the letter is for, such as `invitation:<id>`. No letter is queued twice under one key. */
    readonly key: string;
    readonly addressee: string;
    /** Gone once the letter has left or never will: it may hold a personal link. */
    subject: string | null;
    text: string | null;
    state: LetterState;
    readonly queued_at: Instant;
    /** Deliveries that were begun. */
    attempts: number;
    sent_at: Instant | null;
    /** When it bounced or was suppressed. */
    failed_at: Instant | null;
    /** What a mail server said last when it did not take the letter. */
    reason: string | null;
  };
  /** Who wants no more letters. */
  mail_suppression: {
    /** HMAC of the address under a key that only the site can derive. */
    readonly address: Buffer;
    readonly at: Instant;
  };
  /** One row: whether the agents’ letters are stopped. */
  mail_switch: { paused_at: Instant | null; paused_by: string | null; reason: string | null };
  mail_reply: {
    readonly id: string;
    readonly letter: string;
    readonly kind: ReplyKind;
    readonly sender: string | null;
    readonly subject: string | null;
    readonly text: string | null;
    /** The text was longer. */
    readonly cut: boolean;
    /** Files that came along; they are not kept. */
    readonly attachments: number;
    /** SHA-256 of the raw message: one that is handed in twice is kept once. */
    readonly digest: Buffer;
    readonly received_at: Instant;
    handled_at: Instant | null;
    handled_by: string | null;
  };
}

/** Migration: outbox, suppressions, the agents’ switch, and replies. */
export async function createMail(db: Kysely<unknown>): Promise<void> {
  await createLetters(db);
  await sql`create table mail_suppression (
    address bytea primary key check (length(address) = 32), at timestamptz not null
  )`.execute(db);
  await sql`create table mail_switch (
    only_row boolean primary key default true check (only_row),
    paused_at timestamptz, paused_by text, reason text check (length(reason) between 1 and 2000),
    check ((paused_at is null) = (paused_by is null))
  )`.execute(db);
  await sql`insert into mail_switch default values`.execute(db);
  await sql`
    create table mail_reply (
      id uuid primary key,
      letter uuid not null references mail_letter on delete cascade,
      kind text not null check (kind in (${oneOf(REPLY_KINDS)})),
      sender text check (length(sender) between 1 and 320),
      subject text check (length(subject) between 1 and 500),
      text text check (length(text) between 1 and 20000),
      cut boolean not null,
      attachments int not null check (attachments >= 0),
      digest bytea not null check (length(digest) = 32),
      received_at timestamptz not null,
      handled_at timestamptz,
      handled_by text,
      unique (letter, digest),
      check ((handled_at is null) = (handled_by is null))
    )`.execute(db);
}

async function createLetters(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table mail_letter (
      id uuid primary key,
      lane text not null check (lane in (${oneOf(LANES)})),
      key text not null unique check (length(key) between 1 and 200),
      addressee text not null check (length(addressee) between 3 and 254),
      subject text check (length(subject) between 1 and 300 and subject !~ '[[:cntrl:]]'),
      text text check (length(text) between 1 and 50000),
      state text not null check (state in ('queued', 'sending', 'sent', 'bounced', 'suppressed')),
      queued_at timestamptz not null,
      attempts int not null default 0 check (attempts >= 0),
      sent_at timestamptz,
      failed_at timestamptz,
      reason text check (length(reason) between 1 and 500),
      check ((state in ('queued', 'sending')) = (text is not null)),
      check ((text is null) = (subject is null)),
      check (state <> 'sent' or sent_at is not null),
      check ((state in ('bounced', 'suppressed')) = (failed_at is not null))
    )`.execute(db);
  await sql`create index mail_letter_open on mail_letter (lane, state) where state in ('queued', 'sending')`.execute(
    db,
  );
  await sql`create function mail_final() returns trigger language plpgsql as $$
    begin raise exception 'a letter that has left stays as it is, but for its bounce'; end $$`.execute(db);
  await sql`create trigger final before update on mail_letter for each row
    when (old.state in ('bounced', 'suppressed') or (old.state = 'sent' and new.state <> 'bounced'))
    execute function mail_final()`.execute(db);
}

/** Migration: a letter whose cause is gone is withdrawn. It becomes a sent one where a mail server had it by then. */
export async function withdrawLetters(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_letter drop constraint mail_letter_state_check,
    add constraint mail_letter_state_check check (state in (${oneOf(LETTER_STATES)}))`.execute(db);
  await sql`drop trigger final on mail_letter`.execute(db);
  await sql`create trigger final before update on mail_letter for each row
    when (old.state in ('bounced', 'suppressed') or (old.state = 'sent' and new.state <> 'bounced')
      or (old.state = 'withdrawn' and new.state <> 'sent'))
    execute function mail_final()`.execute(db);
}
