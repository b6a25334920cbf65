import { throttleTable } from '@portolan/http';
import { sql, type ColumnType, type Generated, type Kysely } from 'kysely';

/** Who may sign in, what they were granted, and what they did. Secrets are kept as hashes only. */
export interface PeopleTables {
  person: {
    readonly id: string;
    /** Lower case: the name of the account. */
    readonly email: string;
    name: string;
    /** Salted scrypt hash, as `people/password.ts` writes it; null where the account cannot sign in by password. */
    password: string | null;
    is_super_admin: boolean;
    readonly created_at: Instant;
    disabled_at: Instant | null;
  };
  /** Builder access of a person. The row is the grant. */
  builder_grant: {
    readonly person: string;
    readonly granted_by: string | null;
    readonly granted_at: Instant;
  };
  /** A name of SURVEY_AGENT_TOKENS, AGENT_CONTROL_TOKENS or BUILDER_AGENT_TOKENS, from the start that saw it first. */
  service_agent: {
    readonly name: string;
    readonly seen_at: Instant;
    /** Set while its access is withdrawn. */
    withdrawn_at: Instant | null;
  };
  session: {
    /** SHA-256 of the cookie. */
    readonly token_hash: Buffer;
    readonly person: string;
    /** Stands in every form that the session is shown. */
    readonly csrf: string;
    readonly expires_at: Instant;
  };
  /** Bearers of the chat of signed-in visitors. They end with the session that they were made in. */
  visitor_token: {
    readonly token_hash: Buffer;
    readonly person: string;
    readonly session: Buffer;
    readonly audience: string;
    readonly scopes: string[];
    readonly expires_at: Instant;
    /** The chat's token at the Sveda server, sealed. */
    embed_token: Buffer | null;
  };
  audit: {
    readonly id: string;
    readonly at: Instant;
    /** Kind of the credential, such as `oauth`; `page` for what a person did on a page of the site. */
    readonly credential: string;
    /** Name behind the credential. */
    readonly who: string;
    readonly person: string | null;
    /** Name of the tool or of the page's action. */
    readonly action: string;
    /** Ids that the action was about, and nothing else of what was said. */
    readonly ids: string[];
    /** How many things the ids are the first and the last of; null where all are named. */
    readonly count: number | null;
    readonly n: Generated<number>;
  };
}

/** Migration: what an import did is a count with the ends of a range. */
export async function addAuditCount(db: Kysely<unknown>): Promise<void> {
  await sql`alter table audit add column count integer check (count > 0)`.execute(db);
}

type Instant = ColumnType<Date, Date, Date>;

/** Migration: people, their sessions and grants, service agents, the audit trail, and the counts of tries to sign in. */
export async function createPeople(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table person (
      id uuid primary key,
      email text not null unique check (email = lower(email) and length(email) between 3 and 254),
      name text not null check (length(name) between 1 and 200),
      password text,
      is_super_admin boolean not null default false,
      created_at timestamptz not null,
      disabled_at timestamptz
    )`.execute(db);
  await sql`
    create table builder_grant (
      person uuid primary key references person on delete cascade,
      granted_by uuid references person on delete set null,
      granted_at timestamptz not null
    )`.execute(db);
  await sql`
    create table service_agent (
      name text primary key check (length(name) between 1 and 100),
      seen_at timestamptz not null,
      withdrawn_at timestamptz
    )`.execute(db);
  await sql`
    create table session (
      token_hash bytea primary key,
      person uuid not null references person on delete cascade,
      csrf text not null,
      expires_at timestamptz not null
    )`.execute(db);
  await sql`create index session_person on session (person)`.execute(db);
  await sql`create index session_expiry on session (expires_at)`.execute(db);
  await sql`
    create table visitor_token (
      token_hash bytea primary key,
      person uuid not null references person on delete cascade,
      session bytea not null references session on delete cascade,
      audience text not null,
      scopes text[] not null,
      expires_at timestamptz not null,
      embed_token bytea
    )`.execute(db);
  await sql`create index visitor_token_session on visitor_token (session)`.execute(db);
  await sql`create index visitor_token_expiry on visitor_token (expires_at)`.execute(db);
  await sql`
    create table audit (
      id uuid primary key,
      n bigint generated always as identity,
      at timestamptz not null,
      credential text not null,
      who text not null,
      person uuid,
      action text not null,
      ids text[] not null
    )`.execute(db);
  await sql`create index audit_newest on audit (n desc)`.execute(db);
  await sql.raw(throttleTable('mervare')).execute(db);
  await sql`create index audit_ids on audit using gin (ids)`.execute(db);
}
