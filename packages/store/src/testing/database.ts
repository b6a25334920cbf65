import { createHash, randomBytes } from 'node:crypto';
import type { Client } from 'pg';
import type { Migration } from '../migrate.ts';
import { openStore, type Store } from '../store.ts';
import { asAdmin, dropDatabases } from './admin.ts';
import { askForServer, type TestServer } from './server.ts';

/** What a test file wants its database to be like. */
export interface Wanted {
  readonly app: string;
  readonly migrations: readonly Migration[];
}

/** A migrated database that nobody else uses. */
export interface TestDatabase {
  /** For `openStore`, or as DATABASE_URL of a child process. */
  readonly url: string;
  drop(): Promise<void>;
}

/** A store on a database of its own. `close` drops the database too. */
export interface TestStore<DB> extends Store<DB> {
  readonly url: string;
}

/** A new database, copied from one that was migrated once in this run. Call it in `beforeAll`, `drop` in `afterAll`. */
export async function testDatabase(wanted: Wanted): Promise<TestDatabase> {
  const server = await askForServer();
  const name = `${server.prefix}_${randomBytes(4).toString('hex')}`;
  await asAdmin(server.url, async (admin) => {
    const template = await ensureTemplate(admin, server, wanted);
    await admin.query(`create database "${name}" template "${template}"`);
  });
  return { url: urlOf(server, name), drop: () => dropDatabases(server.url, name) };
}

/** The same, opened. Call it in `beforeAll`, `close` in `afterAll`. */
export async function testStore<DB>(wanted: Wanted): Promise<TestStore<DB>> {
  const database = await testDatabase(wanted);
  const store = await openStore<DB>({ ...wanted, url: database.url, dataDir: '' });
  const close = async (): Promise<void> => {
    await store.close();
    await database.drop();
  };
  return { ...store, url: database.url, close };
}

/** Migrated under a lock and renamed when ready, so that no test file ever copies half of it. */
async function ensureTemplate(admin: Client, server: TestServer, wanted: Wanted): Promise<string> {
  const template = `${server.prefix}_template_${fingerprint(wanted)}`;
  await admin.query('select pg_advisory_lock(hashtextextended($1, 0))', [template]);
  const there = await admin.query('select from pg_database where datname = $1', [template]);
  if (there.rows.length === 0) {
    const fresh = `${template}_new`;
    await admin.query(`drop database if exists "${fresh}"`);
    await admin.query(`create database "${fresh}"`);
    const store = await openStore({ ...wanted, url: urlOf(server, fresh), dataDir: '' });
    await store.close();
    await admin.query(`alter database "${fresh}" rename to "${template}"`);
  }
  await admin.query('select pg_advisory_unlock_all()');
  return template;
}

/** Changes with the app and with every migration, so that a watching test run sees edited ones. */
function fingerprint({ app, migrations }: Wanted): string {
  const hash = createHash('sha256').update(app);
  for (const migration of migrations) hash.update(`\n${migration.name}\n${String(migration.up)}`);
  return hash.digest('hex').slice(0, 12);
}

function urlOf({ url }: TestServer, database: string): string {
  const changed = new URL(url);
  changed.pathname = `/${database}`;
  return changed.href;
}
