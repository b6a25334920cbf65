import { EventEmitter, once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addChangeFeed, type FeedPosition, readChanges } from './changes.ts';
import { newId } from './id.ts';
import { testStore, type TestStore } from './testing/index.ts';

let store: TestStore<unknown>;

beforeAll(async () => {
  const up = async (db: Parameters<typeof addChangeFeed>[0]): Promise<void> => {
    await sql`create table event (id uuid primary key, n int not null)`.execute(db);
    await addChangeFeed(db, 'event');
  };
  store = await testStore({ app: 'harbour', migrations: [{ name: 'event', up }] });
});
afterAll(() => store.close());

function insert(db: typeof store.db, n: number): Promise<unknown> {
  return sql`insert into event (id, n) values (${newId(Date.now())}, ${n})`.execute(db);
}

function read(
  after: FeedPosition | undefined,
  limit = 100,
): Promise<readonly (FeedPosition & { n: number })[]> {
  return readChanges<{ n: number }>(store.db, 'event', after, limit);
}

describe('a change feed', () => {
  it('holds back what an older, still open transaction could precede', async () => {
    await sql`delete from event`.execute(store.db);
    const gate = new EventEmitter();
    const begun = once(gate, 'begun');
    const older = store.db.transaction().execute(async (tx) => {
      await insert(tx, 1);
      gate.emit('begun');
      await once(gate, 'proceed');
    });
    await begun;
    await insert(store.db, 2);
    expect(await read(undefined)).toEqual([]);
    gate.emit('proceed');
    await older;
    // Older transactions of other databases of the server hold rows back as well.
    await expect.poll(async () => (await read(undefined)).map(({ n }) => n)).toEqual([1, 2]);
  });

  it('gives every row once, in pages, to a reader beside many writers', async () => {
    await sql`delete from event`.execute(store.db);
    const writers = [0, 1, 2, 3].map(async (writer) => {
      for (let n = 0; n < 50; n++)
        await store.db.transaction().execute(async (tx) => {
          await insert(tx, writer * 1_000 + n);
          if (n % 3 === 0) await sql`select pg_sleep(0.002)`.execute(tx);
          await insert(tx, writer * 1_000 + 500 + n);
        });
    });
    const LAST = -1;
    const written = Promise.all(writers).then(() => insert(store.db, LAST));
    const seen: number[] = [];
    for (let position: FeedPosition | undefined; !seen.includes(LAST);) {
      const page = await read(position, 7);
      seen.push(...page.map(({ n }) => n));
      position = page.at(-1) ?? position;
    }
    await written;
    expect(seen).toHaveLength(401);
    expect(new Set(seen).size).toBe(401);
  });
});
