import { sql, type ColumnType, type Kysely } from 'kysely';

/** Writes that were asked for with a key, and what they answered. */
export interface IdempotencyTables {
  idempotent_write: {
    readonly actor: string;
    readonly tool: string;
    readonly key: string;
    /** SHA-256 of the arguments. */
    digest: Buffer;
    answer: ColumnType<unknown, string | null, string>;
    expires_at: ColumnType<Date, Date, Date>;
  };
}

/** Migration: one row for each key of one actor at one tool. */
export async function createIdempotentWrites(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table idempotent_write (
      actor text not null,
      tool text not null,
      key text not null check (length(key) between 1 and 200),
      digest bytea not null,
      answer jsonb,
      expires_at timestamptz not null,
      primary key (actor, tool, key)
    )`.execute(db);
  await sql`create index idempotent_write_expiry on idempotent_write (expires_at)`.execute(db);
}
