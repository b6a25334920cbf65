import { randomBytes } from 'node:crypto';
import { sql, type Kysely } from 'kysely';

/** One row: what signs the cookies of the site, the same on every node. */
export interface SecretTables {
  site_secret: { readonly cookie: string };
}

/** Migration: the site's own secret, made once. */
export async function createSecret(db: Kysely<unknown>): Promise<void> {
  await sql`create table site_secret (
    only_row boolean primary key default true check (only_row), cookie text not null
  )`.execute(db);
  await sql`insert into site_secret (cookie) values (${randomBytes(32).toString('base64url')})`.execute(db);
}

/** Reads the secret that signs cookies. */
export async function cookieSecret(db: Kysely<SecretTables>): Promise<string> {
  return (await db.selectFrom('site_secret').select('cookie').executeTakeFirstOrThrow()).cookie;
}
