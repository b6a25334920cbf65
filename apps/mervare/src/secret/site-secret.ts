import { hkdfSync, randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dataFolder } from '@portolan/cli';
import { Misconfigured } from '@portolan/mcp/tool';
import { sql, type Kysely } from 'kysely';
import type { Config } from '../config.ts';

/** The site's secret, the same on every node, as what it is for: a key of 256 bits for each purpose (RFC 5869). */
export type SiteSecret = (purpose: string) => Buffer;

/** Characters of a secret. */
const LEAST = 32;

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
  await dataFolder(dataDir);
  const file = join(dataDir, 'secret');
  try {
    return (await read(file)) ?? (await make(file));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw code === undefined
      ? error
      : new Misconfigured(`The secret of the site is out of reach: ${message}.`);
  }
}

/** Resolves with what every node has that starts at the same moment. */
async function make(file: string): Promise<string> {
  // Not named after the process: nodes in containers may share its number and the folder.
  const draft = `${file}.${randomBytes(8).toString('hex')}`;
  const text = `${randomBytes(32).toString('base64url')}\n`;
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    await link(draft, file).catch(unless('EEXIST'));
  } finally {
    await rm(draft, { force: true });
  }
  const made = await read(file);
  if (made === undefined)
    throw new Misconfigured(`${file} leads nowhere. Remove it, or bring back what it led to.`);
  return made;
}

async function read(file: string): Promise<string | undefined> {
  const secret = (await readFile(file, 'utf8').catch(unless('ENOENT')))?.trim();
  if (secret === undefined || secret.length >= LEAST) return secret;
  throw new Misconfigured(
    `${file} must hold ${LEAST} characters or more. Bring it back from a backup, or remove it to have one made.`,
  );
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
