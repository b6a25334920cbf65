import { hkdfSync, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { sql, type Kysely } from 'kysely';
import type { Config } from '../config.ts';

/** The site's secret, the same on every node, as what it is for: a key of 256 bits for each purpose (RFC 5869). */
export type SiteSecret = (purpose: string) => Buffer;

/** One row: by what the database tells its site's secret from any other, without knowing it. */
export interface SecretTables {
  secret_mark: { readonly mark: Buffer };
}

/** Migration: no secret stands in the database any more, only the mark of one. */
export async function takeSecretsOut(db: Kysely<unknown>): Promise<void> {
  await sql`drop table site_secret, oauth_key`.execute(db);
  await sql`create table secret_mark (
    only_row boolean primary key default true check (only_row), mark bytea not null check (length(mark) = 32)
  )`.execute(db);
}

/** The keys that come from this text. */
export function siteSecret(text: string): SiteSecret {
  return (purpose) => Buffer.from(hkdfSync('sha256', text, '', `mervare ${purpose}`, 32));
}

/**
 * The secret that the operator set, or else the one that lies in the data folder. Throws Misconfigured where the database belongs
 * to a site with another.
 */
export async function openSecret(
  { secret: given, dataDir }: Pick<Config, 'secret' | 'dataDir'>,
  db: Kysely<SecretTables>,
): Promise<SiteSecret> {
  const secret = siteSecret(given ?? (await generatedSecret(dataDir)));
  await requireSame(db, secret);
  return secret;
}

/** The text of a site that was given none: made once, in its data folder (mode 0600), whole or not at all. */
async function generatedSecret(dataDir: string): Promise<string> {
  const file = join(dataDir, 'secret');
  const draft = `${file}.${process.pid}`;
  await dataFolder(dataDir);
  const there = await readFile(file, 'utf8').catch(unless('ENOENT'));
  if (there !== undefined) return there.trim();
  await writeFile(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true });
  await link(draft, file).catch(unless('EEXIST'));
  await rm(draft);
  return (await readFile(file, 'utf8')).trim();
}

/**
 * Holds the nodes of one database to one secret, the one of the first that came: a node with keys of its own would know neither the
 * browsers nor the chats of the others.
 */
async function requireSame(db: Kysely<SecretTables>, secret: SiteSecret): Promise<void> {
  const mark = secret('mark');
  await db
    .insertInto('secret_mark')
    .values({ mark })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const kept = await db.selectFrom('secret_mark').select('mark').executeTakeFirstOrThrow();
  if (!kept.mark.equals(mark))
    throw new Misconfigured(
      'This database belongs to a site with another secret. Set MERVARE_SECRET to that of its other nodes, or bring back the file ' +
        '“secret” of its data folder. To go on with a new secret, empty the table mervare.secret_mark: browsers and chats begin anew.',
    );
}

function unless(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
