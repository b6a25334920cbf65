import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Restricted } from './roles.ts';
import { openStore } from './store.ts';
import { testStore, type TestStore } from './testing/index.ts';

let store: TestStore<unknown>;
let guest: Restricted<{ open_port: { locode: string } }>;

const migrations = [
  {
    name: '0001',
    up: async (db: TestStore<unknown>['db']): Promise<void> => {
      await sql`create table port (locode text, secret text)`.execute(db);
      await sql`create view open_port as select locode from port`.execute(db);
      await sql`create sequence number`.execute(db);
      await sql`insert into port values ('EETLL', 'hidden')`.execute(db);
    },
  },
];

beforeAll(async () => {
  store = await testStore({ app: 'harbour', migrations });
  guest = await store.connectAs({ name: 'visitor', select: ['open_port'] });
});

afterAll(async () => {
  await guest.close();
  await store.close();
});

describe('a restricted role', () => {
  it('reads the view that it was given', async () => {
    expect(await guest.db.selectFrom('open_port').selectAll().execute()).toEqual([{ locode: 'EETLL' }]);
  });

  it.each([
    ['another table', sql`select * from port`],
    ['a write through the view', sql`insert into open_port values ('X')`],
    ['the jobs', sql`select * from store_job`],
    ['the passwords of roles', sql`select * from store_role`],
    ['the passwords of the server', sql`select rolpassword from pg_authid`],
    ['a sequence', sql`select nextval('number')`],
    ['a table of its own', sql`create table harbour.mine (n int)`],
    ['a temporary table', sql`create temporary table mine (n int)`],
    ['another role', sql`set role pg_read_all_data`],
    ['a file of the server', sql`select pg_read_file('/etc/passwd')`],
    ['a program on the server', sql`copy (select 1) to program 'true'`],
  ])('cannot reach %s, also when it leaves its read-only setting', async (_, statement) => {
    await expect(statement.execute(guest.db)).rejects.toMatchObject({
      code: expect.stringMatching(/^(42501|25006)$/),
    });
    const defiant = guest.db.connection().execute(async (db) => {
      await sql`set default_transaction_read_only = off`.execute(db);
      try {
        await statement.execute(db);
      } finally {
        await sql`reset default_transaction_read_only`.execute(db);
      }
    });
    await expect(defiant).rejects.toMatchObject({ code: '42501' });
  });

  it('is a role of its own that has a password of its own', async () => {
    const { rows } = await sql<{ who: string; db: string }>`
      select current_user as who, current_database() as db`.execute(guest.db);
    expect(rows[0]?.who).toBe(`${rows[0]?.db}_visitor`);
  });

  it('is the same for all nodes, and none locks another out', async () => {
    const nodes = await Promise.all(
      [1, 2, 3].map(async () => {
        const node = await openStore({ url: store.url, dataDir: '', app: 'harbour', migrations });
        return { node, role: await node.connectAs<unknown>({ name: 'visitor', select: ['open_port'] }) };
      }),
    );
    for (const { role } of nodes)
      expect((await sql`select * from open_port`.execute(role.db)).rows).toHaveLength(1);
    const again = await store.connectAs<unknown>({ name: 'visitor', select: ['open_port'] });
    expect((await sql`select * from open_port`.execute(again.db)).rows).toHaveLength(1);
    for (const { node, role } of nodes) {
      await role.close();
      await node.close();
    }
    await again.close();
  });

  it('loses what it is no longer given', async () => {
    const wide = await store.connectAs<unknown>({ name: 'changing', select: ['open_port', 'port'] });
    expect((await sql`select * from port`.execute(wide.db)).rows).toHaveLength(1);
    const narrow = await store.connectAs<unknown>({ name: 'changing', select: ['open_port'] });
    await expect(sql`select * from port`.execute(wide.db)).rejects.toMatchObject({ code: '42501' });
    await wide.close();
    await narrow.close();
  });

  it('needs a database user that may make roles', async () => {
    const { database, url } = userOf(store.url);
    const weak = sql.id(`${database}_weak`);
    await sql`create role ${weak} login password 'weak'`.execute(store.db);
    await sql`grant usage on schema harbour to ${weak}`.execute(store.db);
    await sql`grant select on all tables in schema harbour to ${weak}`.execute(store.db);
    const node = await openStore({ url, dataDir: '', app: 'harbour', migrations });
    await expect(node.connectAs({ name: 'visitor2', select: [] })).rejects.toMatchObject({
      name: 'Misconfigured',
      code: 'insufficient_privilege',
      message: expect.stringContaining(`may not make the role ${database}_visitor2`),
    });
    await node.close();
    await sql`revoke all on all tables in schema harbour from ${weak}`.execute(store.db);
    await sql`revoke all on schema harbour from ${weak}`.execute(store.db);
  });

  it('is refused when a grant of another hand reaches further', async () => {
    await sql`grant select (secret) on port to public`.execute(store.db);
    await expect(store.connectAs({ name: 'visitor', select: ['open_port'] })).rejects.toMatchObject({
      name: 'Misconfigured',
      code: 'insufficient_privilege',
      message: expect.stringContaining('can reach harbour.port by a grant that is not ours'),
    });
    await sql`revoke all (secret) on port from public`.execute(store.db);
  });
});

/** The URL of the same database for the user `<database>_weak`. */
function userOf(url: string): { database: string; url: string } {
  const changed = new URL(url);
  const database = changed.pathname.slice(1);
  changed.username = `${database}_weak`;
  changed.password = 'weak';
  return { database, url: changed.href };
}
