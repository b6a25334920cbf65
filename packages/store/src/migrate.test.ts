import { type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Migration } from './migrate.ts';
import { openStore, type Store } from './store.ts';
import { type TestDatabase, testDatabase } from './testing/index.ts';

let database: TestDatabase;
let open: Store<unknown>[] = [];

beforeEach(async () => {
  database = await testDatabase({ app: 'harbour', migrations: [] });
});

afterEach(async () => {
  await Promise.all(open.map((store) => store.close()));
  open = [];
  await database.drop();
});

async function start(migrations: readonly Migration[], app = 'harbour'): Promise<Store<unknown>> {
  const store = await openStore({ url: database.url, dataDir: '', app, migrations });
  open.push(store);
  return store;
}

const makePort: Migration = {
  name: '0001_port',
  up: async (db) => void (await sql`create table port (locode text primary key)`.execute(db)),
};

const firstPort: Migration = {
  name: '0002_first_port',
  up: async (db) => void (await sql`insert into port values ('EETLL')`.execute(db)),
};

const failing: Migration = {
  name: '0003_failing',
  up: async (db) => {
    await sql`insert into port values ('FIHEL')`.execute(db);
    throw new Error('not today');
  },
};

async function ports(db: Kysely<unknown>): Promise<unknown[]> {
  return (await sql`select locode from harbour.port`.execute(db)).rows;
}

describe('migrations', () => {
  it('run once, in their order, in the schema of the app', async () => {
    const first = await start([makePort, firstPort]);
    const second = await start([makePort, firstPort]);
    expect(await ports(first.db)).toEqual([{ locode: 'EETLL' }]);
    expect(await ports(second.db)).toEqual([{ locode: 'EETLL' }]);
  });

  it('run once when many nodes start together', async () => {
    const stores = await Promise.all([1, 2, 3, 4, 5].map(() => start([makePort, firstPort])));
    for (const store of stores) expect(await ports(store.db)).toEqual([{ locode: 'EETLL' }]);
  });

  it('leave nothing of one that fails, and keep those before it', async () => {
    await expect(start([makePort, firstPort, failing])).rejects.toThrow('not today');
    const store = await start([makePort, firstPort]);
    expect(await ports(store.db)).toEqual([{ locode: 'EETLL' }]);
  });

  it('may take longer than any other statement', async () => {
    const slow: Migration = {
      name: '0001_slow',
      up: async (db) => {
        const timeout = await sql<{ t: string }>`select current_setting('statement_timeout') as t`.execute(
          db,
        );
        expect(timeout.rows).toEqual([{ t: '0' }]);
      },
    };
    const { db } = await start([slow]);
    expect((await sql`select current_setting('statement_timeout') as t`.execute(db)).rows).toEqual([
      { t: '30s' },
    ]);
  });

  it('with the same name twice are our mistake', async () => {
    await expect(start([makePort, makePort])).rejects.toThrow('Two migrations have one name');
  });

  it('of a newer release are not guessed at', async () => {
    await start([makePort, firstPort]);
    await expect(start([makePort])).rejects.toMatchObject({
      name: 'Misconfigured',
      code: 'newer_schema',
      message:
        'A newer release has migrated this database (0002_first_port): run that release, or restore an older export',
    });
  });

  it('of another app stay alone: one database an app', async () => {
    await start([makePort]);
    await expect(start([], 'lighthouse')).rejects.toMatchObject({
      name: 'Misconfigured',
      code: 'other_app',
      message: 'This database belongs to harbour: give lighthouse a database of its own',
    });
  });

  it('of two apps that start together in an empty database end with one of them', async () => {
    const store = await start([]);
    await sql`drop schema harbour cascade`.execute(store.db);
    const results = await Promise.allSettled([start([makePort], 'harbour'), start([makePort], 'lighthouse')]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
