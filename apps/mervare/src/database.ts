import { dataFolder } from '@portolan/cli';
import { createLog, type Logger } from '@portolan/http';
import { openStore, type Store } from '@portolan/store';
import type { Kysely } from 'kysely';
import type { Config } from './config.ts';
import { ANONYMOUS_ROLE, type PublicTables } from './harbour/tables.ts';
import { migrations } from './migrations.ts';
import type { SiteTables } from './tables.ts';

/** The open database: as the site itself, and as an anonymous caller. */
export interface Database {
  readonly store: Store<SiteTables>;
  readonly anonymous: Kysely<PublicTables>;
  close(): Promise<void>;
}

/** Opens the database and brings it up to date. Throws Misconfigured where the operator must act. */
export async function openDatabase({ databaseUrl, dataDir }: Config, log: Logger): Promise<Database> {
  if (databaseUrl === undefined) await dataFolder(dataDir);
  const store = await openStore<SiteTables>({
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    dataDir,
    app: 'mervare',
    migrations,
    log: (message, facts) => log.info(facts, message),
  });
  try {
    const anonymous = await store.connectAs<PublicTables>(ANONYMOUS_ROLE);
    const close = async () => {
      await anonymous.close();
      await store.close();
    };
    return { store, anonymous: anonymous.db, close };
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** Opens the database for one piece of work and closes it after. Only errors are logged. */
export async function withDatabase<Result>(
  config: Config,
  work: (database: Database) => Promise<Result>,
): Promise<Result> {
  const database = await openDatabase(config, createLog({ name: 'mervare', level: 'error' }));
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
