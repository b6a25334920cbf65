import { sql, type ColumnType, type Generated, type Kysely } from 'kysely';

type Instant = ColumnType<Date, Date, Date>;

/** Who was asked, and the links by which they answer. What they answered stands elsewhere, and nothing leads there from here. */
export interface InvitationTables {
  survey_invitation: {
    readonly id: string;
    readonly survey: string;
    readonly edition: number;
    /** The addressee; empty once erased. */
    name: string | null;
    email: string | null;
    /** BCP 47, of letters to them. */
    readonly language: string;
    /** Facts about the addressee that fill letters. */
    readonly context: string | null;
    /** The batch that it was made in. */
    readonly batch: string | null;
    readonly by: string;
    readonly at: Instant;
    readonly expires_at: Instant | null;
    revoked_at: Instant | null;
    /** Whether, and never when: a time would lead to the response of that moment. */
    opened: Generated<boolean>;
    answered: Generated<boolean>;
  };
  /** A secret address of one invitation. It may have several: one that was shown, one that was sent. */
  survey_link: {
    /** SHA-256 of the token in the address. */
    readonly token_hash: Buffer;
    readonly invitation: string;
    /** A half-finished answer, sealed under the token: nobody but the holder of the link can read it. */
    unfinished: Buffer | null;
  };
}

/** Migration: invitations and their links. */
export async function createInvitations(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table survey_invitation (
      id uuid primary key,
      survey uuid not null,
      edition int not null,
      name text check (length(name) between 1 and 200),
      email text check (length(email) between 3 and 254),
      language text not null check (length(language) between 1 and 35),
      context uuid,
      batch uuid,
      "by" text not null,
      at timestamptz not null,
      expires_at timestamptz,
      revoked_at timestamptz,
      opened boolean not null default false,
      answered boolean not null default false,
      foreign key (survey, edition) references survey_edition,
      check (not (answered and revoked_at is not null))
    )`.execute(db);
  await sql`create index survey_invitation_newest on survey_invitation (survey, id)`.execute(db);
  await sql`create index survey_invitation_email on survey_invitation (lower(email))`.execute(db);
  await sql`create index survey_invitation_batch on survey_invitation (batch, id)`.execute(db);
  await sql`
    create table survey_link (
      token_hash bytea primary key,
      invitation uuid not null references survey_invitation on delete cascade,
      unfinished bytea check (length(unfinished) <= 8388608)
    )`.execute(db);
  await sql`create index survey_link_invitation on survey_link (invitation)`.execute(db);
}

/**
 * Migration: where a row lies in its table tells when it was written last, so invitations that are answered are written again in an order
 * of chance, and have room to stay on their page.
 */
export async function mixAnswered(db: Kysely<unknown>): Promise<void> {
  for (const table of ['survey_invitation', 'survey_link'])
    await sql`alter table ${sql.table(table)} set (fillfactor = 50)`.execute(db);
  await sql`create function survey_answered(invitations uuid[]) returns void language plpgsql as $$
    declare one uuid;
    begin
      for one in select id from unnest(invitations) id order by random() loop
        update survey_invitation set opened = true, answered = true where id = one;
        update survey_link set unfinished = null where invitation = one;
      end loop;
    end $$`.execute(db);
}
