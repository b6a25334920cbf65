import { EventEmitter, once } from 'node:events';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testStore, type TestStore } from './testing/index.ts';

let store: TestStore<unknown>;

beforeAll(async () => {
  store = await testStore({ app: 'harbour', migrations: [] });
});
afterAll(() => store.close());

/** Hints as events that a test can wait for. */
function hints(): { events: EventEmitter; onHint: (payload: string | undefined) => void; seen: unknown[] } {
  const events = new EventEmitter();
  const seen: unknown[] = [];
  const onHint = (payload: string | undefined): void => {
    seen.push(payload);
    events.emit('hint', payload);
  };
  return { events, onHint, seen };
}

describe('a hint', () => {
  it('comes on each of many channels that were asked for at once, without a warning of the client', async () => {
    const warned: unknown[] = [];
    const onWarning = (warning: Error): void => void warned.push(warning.message);
    process.on('warning', onWarning);
    const channels = ['one', 'two', 'three'];
    const ears = channels.map(() => hints());
    const stops = await Promise.all(
      channels.map((channel, n) => store.listen(channel, (payload) => ears[n]?.onHint(payload))),
    );
    const arrived = ears.map(({ events }) => once(events, 'hint'));
    await store.db.transaction().execute(async (tx) => {
      for (const channel of channels) await store.notify(tx, channel, channel);
    });
    await Promise.all(arrived);
    process.off('warning', onWarning);
    expect({ seen: ears.map(({ seen }) => seen), warned }).toEqual({
      seen: [['one'], ['two'], ['three']],
      warned: [],
    });
    for (const stop of stops) await stop();
  });

  it('comes when the transaction commits, and not when it is rolled back', async () => {
    const { events, onHint, seen } = hints();
    const stop = await store.listen('mail', onHint);
    await store.db
      .transaction()
      .execute(async (tx) => {
        await store.notify(tx, 'mail', 'lost');
        throw new Error('undone');
      })
      .catch(() => undefined);
    const arrived = once(events, 'hint');
    await store.db.transaction().execute((tx) => store.notify(tx, 'mail', 'kept'));
    await arrived;
    expect(seen).toEqual(['kept']);
    await stop();
  });

  it('comes to every listener of its channel and to no other', async () => {
    const [one, two, other] = [hints(), hints(), hints()];
    await store.listen('a', one.onHint);
    await store.listen('a', two.onHint);
    await store.listen('b', other.onHint);
    const both = Promise.all([once(one.events, 'hint'), once(two.events, 'hint')]);
    await store.notify(store.db, 'a', '7');
    await both;
    const last = once(other.events, 'hint');
    await store.notify(store.db, 'b', '8');
    await last;
    expect([one.seen, two.seen, other.seen]).toEqual([['7'], ['7'], ['8']]);
  });

  it('comes no more to who has stopped listening', async () => {
    const [gone, still] = [hints(), hints()];
    const stop = await store.listen('c', gone.onHint);
    await store.listen('c', still.onHint);
    await stop();
    const arrived = once(still.events, 'hint');
    await store.notify(store.db, 'c', '9');
    await arrived;
    expect(gone.seen).toEqual([]);
  });

  it('without an id tells of a lost connection, and later ones come over the new one', async () => {
    const { events, onHint, seen } = hints();
    await store.listen('d', onHint);
    const woken = once(events, 'hint');
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and query like 'listen%'`.execute(store.db);
    await woken;
    const arrived = once(events, 'hint');
    await store.notify(store.db, 'd', '10');
    await arrived;
    expect(seen).toEqual([undefined, '10']);
  });

  it('keeps content out: PostgreSQL takes less than 8,000 bytes', async () => {
    await expect(store.notify(store.db, 'mail', 'x'.repeat(8_000))).rejects.toThrow(
      'payload string too long',
    );
  });
});
