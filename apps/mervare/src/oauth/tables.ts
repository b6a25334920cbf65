import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { sql, type Generated, type JSONColumnType, type Kysely } from 'kysely';

/**
 * An access token. Callers are found by its hash in one statement; it counts while `expires_at` lies ahead and `revoked_at` is
 * empty. The person's own rights are read beside it, on every call.
 */
interface AccessTokenRow {
  /** `hashOf` the token. The token itself is kept nowhere. */
  readonly token_hash: Buffer;
  readonly grant_id: string;
  readonly client_id: string;
  readonly person_id: string;
  /** Canonical address of the one endpoint that the token opens. */
  readonly audience: string;
  readonly scopes: string[];
  readonly issued_at: Date;
  readonly expires_at: Date;
  revoked_at: Date | null;
}

/** What one person allowed one client at one endpoint. Everything that a client holds hangs on its grant, and ends with it. */
interface GrantRow {
  readonly id: string;
  readonly client_id: string;
  readonly person_id: string;
  readonly audience: string;
  readonly scopes: string[];
  readonly payload: JSONColumnType<object>;
  readonly created_at: Date;
  readonly expires_at: Date;
  /** When tokens were last issued under it. */
  last_used_at: Date;
}

/** A client that registered itself, or one with a metadata document that a person has allowed something. */
interface ClientRow {
  readonly id: string;
  /** `document`: its id is the address of its metadata, which is read there and not here. */
  readonly kind: 'registered' | 'document';
  /** Unchecked words of the client about itself. */
  readonly name: string;
  readonly metadata: JSONColumnType<object>;
  readonly created_at: Date;
  /** When it last got a token; empty until then. */
  last_used_at: Date | null;
}

/** Codes, refresh tokens and requests that wait for a person, found by the hash of their secret. */
interface ArtifactRow {
  readonly kind: string;
  readonly id_hash: Buffer;
  readonly grant_id: string | null;
  readonly payload: JSONColumnType<object>;
  readonly expires_at: Date;
  consumed_at: Date | null;
  /** How far somebody has come with a request that waits; 0 while nobody has come back with it. */
  rank: Generated<number>;
}

/** What the authorization server keeps. */
export interface OauthTables {
  oauth_access_token: AccessTokenRow;
  oauth_grant: GrantRow;
  oauth_client: ClientRow;
  oauth_artifact: ArtifactRow;
}

/** Migration: every table of the authorization server. */
export async function createOauth(db: Kysely<unknown>): Promise<void> {
  await sql`create table oauth_client (
    id text primary key check (length(id) <= 2048),
    kind text not null check (kind in ('registered', 'document')),
    name text not null check (length(name) <= 200),
    metadata jsonb not null,
    created_at timestamptz not null,
    last_used_at timestamptz
  )`.execute(db);
  await sql`create index oauth_client_unused on oauth_client (created_at) where last_used_at is null`.execute(
    db,
  );
  await sql`create table oauth_grant (
    id text primary key,
    client_id text not null references oauth_client on delete cascade,
    person_id uuid not null references person on delete cascade,
    audience text not null,
    scopes text[] not null check (cardinality(scopes) > 0),
    payload jsonb not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    last_used_at timestamptz not null
  )`.execute(db);
  await sql`create index oauth_grant_person on oauth_grant (person_id, created_at)`.execute(db);
  await sql`create index oauth_grant_client on oauth_grant (client_id)`.execute(db);
  await sql`create table oauth_access_token (
    token_hash bytea primary key check (length(token_hash) = 32),
    grant_id text not null references oauth_grant on delete cascade,
    client_id text not null,
    person_id uuid not null,
    audience text not null,
    scopes text[] not null,
    issued_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz
  )`.execute(db);
  await sql`create index oauth_access_token_grant on oauth_access_token (grant_id)`.execute(db);
  await sql`create index oauth_access_token_expiry on oauth_access_token (expires_at)`.execute(db);
  await sql`create table oauth_artifact (
    kind text not null,
    id_hash bytea not null check (length(id_hash) = 32),
    grant_id text references oauth_grant on delete cascade,
    payload jsonb not null,
    expires_at timestamptz not null,
    consumed_at timestamptz,
    primary key (kind, id_hash)
  )`.execute(db);
  await sql`create index oauth_artifact_grant on oauth_artifact (grant_id)`.execute(db);
  await sql`create index oauth_artifact_expiry on oauth_artifact (expires_at)`.execute(db);
  await createKeys(db);
}

/** Migration: finds the oldest of the requests that wait for a person. */
export async function indexPending(db: Kysely<unknown>): Promise<void> {
  await sql`create index oauth_artifact_pending on oauth_artifact (expires_at) where kind = 'Interaction'`.execute(
    db,
  );
}

/** Migration: finds those of them with which nobody has come far. */
export async function rankPending(db: Kysely<unknown>): Promise<void> {
  await sql`alter table oauth_artifact add column rank smallint not null default 0`.execute(db);
  await sql`drop index oauth_artifact_pending`.execute(db);
  await sql`create index oauth_artifact_pending on oauth_artifact (rank, expires_at) where kind = 'Interaction'`.execute(
    db,
  );
}

/** A later step takes them away. */
async function createKeys(db: Kysely<unknown>): Promise<void> {
  await sql`create table oauth_key (
    only_row boolean primary key default true check (only_row), signing jsonb not null, cookie text not null
  )`.execute(db);
  const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const jwk = JSON.stringify({ ...signing, alg: 'ES256', use: 'sig' });
  await sql`insert into oauth_key (signing, cookie)
    values (${jwk}::jsonb, ${randomBytes(32).toString('base64url')})`.execute(db);
}
