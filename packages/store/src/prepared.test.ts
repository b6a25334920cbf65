import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { askPrepared } from './prepared.ts';
import type { Restricted } from './roles.ts';
import { testStore, type TestStore } from './testing/index.ts';

let store: TestStore<unknown>;
let guest: Restricted<unknown>;

const migrations = [
  {
    name: '0001',
    up: async (db: TestStore<unknown>['db']): Promise<void> => {
      await sql`create table port (locode text)`.execute(db);
      await sql`create table secret (word text)`.execute(db);
      await sql`insert into port values ('EETLL'), ('FIHEL')`.execute(db);
    },
  },
];

beforeAll(async () => {
  store = await testStore({ app: 'harbour', migrations });
  guest = await store.connectAs({ name: 'visitor', select: ['port'] });
});

afterAll(async () => {
  await guest.close();
  await store.close();
});

/** One statement whatever the port: it tells how often its connection has planned and run it before. */
function runsAt(port: string) {
  return sql<{ locode: string; runs: number | null }>`
    select locode, (select (generic_plans + custom_plans)::int from pg_prepared_statements
      where statement like '%pg_prepared_statements%') as runs
    from port where locode = ${port}`;
}

it('parses a statement once, whatever its values are', async () => {
  expect(await askPrepared(guest.db, runsAt('EETLL'))).toEqual([{ locode: 'EETLL', runs: 1 }]);
  expect(await askPrepared(guest.db, runsAt('FIHEL'))).toEqual([{ locode: 'FIHEL', runs: 2 }]);
  expect(await askPrepared(guest.db, runsAt('XXXXX'))).toEqual([]);
});

it('asks as the role whose database it was given', async () => {
  const secret = sql`select word from secret`;
  await expect(askPrepared(guest.db, secret)).rejects.toMatchObject({ code: '42501' });
  expect(await askPrepared(store.db, secret)).toEqual([]);
});

it('keeps 300 texts, and asks any further one all the same', async () => {
  for (let n = 0; n < 310; n++)
    expect(await askPrepared(store.db, sql`select ${sql.lit(n)} as n`)).toEqual([{ n }]);
  const kept = await sql<{ n: number }>`select count(*)::int as n from pg_prepared_statements`.execute(
    store.db,
  );
  expect(kept.rows[0]?.n).toBeGreaterThan(290);
  expect(kept.rows[0]?.n).toBeLessThanOrEqual(300);
});

it('refuses a transaction, in which it would see another state', async () => {
  const asked = store.db.transaction().execute((tx) => askPrepared(tx, sql`select 1`));
  await expect(asked).rejects.toThrow('prepares statements');
});
