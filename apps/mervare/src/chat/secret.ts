import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** Migration: a secret in the database. A later step takes it away. */
export async function createSecret(db: Kysely<unknown>): Promise<void> {
  await sql`create table site_secret (
    only_row boolean primary key default true check (only_row), cookie text not null
  )`.execute(db);
  await sql`insert into site_secret (cookie) values (${randomBytes(32).toString('base64url')})`.execute(db);
}
