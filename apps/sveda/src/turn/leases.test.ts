import { randomUUID } from 'node:crypto';
import { createLog } from '@portolan/http';
import { testStore } from '@portolan/store/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../migrations.ts';
import type { Tables } from '../tables.ts';
import { testRows } from '../testing/rows.ts';
import { admit } from './admit.ts';
import { createLeases } from './leases.ts';
import { sweepTurns } from './sweep.ts';

const LEASE_MS = 600_000;

let store: Awaited<ReturnType<typeof testStore<Tables>>>;
beforeAll(async () => {
  store = await testStore<Tables>({ app: 'sveda', migrations });
});
afterAll(() => store.close());

/** Turns that this node holds, what it was told to stop and why, and a clock that goes when it is told to. */
async function holding(count: number) {
  let now = new Date('2026-01-01T00:00:00Z');
  const { db } = store;
  const node = randomUUID();
  const admission = { db, wording: { contextTokens: 1_000 }, node, leaseMs: LEASE_MS, newId: randomUUID };
  const held = await Promise.all(
    Array.from({ length: count }, () =>
      admit({ ...admission, now: () => now }, 'v', { message: { text: 'Hi' } }, () => true),
    ),
  );
  const stopped: [string, string][] = [];
  const segments = {
    held,
    stop: (id: string, why?: Error) => void stopped.push([id, why?.name ?? 'visitor']),
  };
  const options = {
    segments,
    leaseMs: LEASE_MS,
    now: () => now,
    log: createLog({ name: 'sveda', level: 'fatal' }),
  };
  return {
    held,
    stopped,
    options,
    leases: createLeases({ ...options, db }),
    pass: (ms: number): void => {
      now = new Date(now.getTime() + ms);
    },
  };
}

describe('the leases of a node', () => {
  it('SVE-34.5 are renewed for all its turns at once; one that was taken is let go, and a stop is heard', async () => {
    const { held, stopped, leases } = await holding(3);
    const [kept, taken, wanted] = held.map(({ turnId }) => turnId);
    await testRows(store.url, `update sveda.turn set fence = fence + 1 where id = '${taken}'`);
    await testRows(store.url, `update sveda.turn set stop_requested = true where id = '${wanted}'`);
    await testRows(store.url, 'update sveda.turn set lease_until = now()');
    await leases.renew();
    expect(new Map(stopped)).toEqual(
      new Map([
        [taken, 'LeaseLost'],
        [wanted, 'visitor'],
      ]),
    );
    const isHeld = (id: string | undefined) =>
      testRows(store.url, `select lease_until > now() as held from sveda.turn where id = '${id}'`);
    expect(await isHeld(kept)).toEqual([{ held: true }]);
    expect(await isHeld(taken)).toEqual([{ held: false }]);
  });

  it('SVE-34.5 last by the clock of the database: those of the nodes may be years away', async () => {
    const { held, leases } = await holding(1);
    const left = () =>
      testRows(
        store.url,
        `select lease_until between now() and now() + interval '10 minutes' as held from sveda.turn where id = '${held[0]?.turnId}'`,
      );
    expect(await left()).toEqual([{ held: true }]);
    await leases.renew();
    expect(await left()).toEqual([{ held: true }]);
    const admission = { db: store.db, wording: { contextTokens: 1_000 }, now: () => new Date('2036-01-01') };
    await sweepTurns(admission);
    expect(await left()).toEqual([{ held: true }]);
  });

  it('SVE-34.6 are all given up when nothing could be said for a whole lease', async () => {
    const { held, stopped, options, pass } = await holding(2);
    const gone = await testStore<Tables>({ app: 'sveda', migrations });
    await gone.close();
    const leases = createLeases({ ...options, db: gone.db });
    pass(LEASE_MS - 1);
    await leases.renew();
    expect(stopped).toEqual([]);
    pass(1);
    await leases.renew();
    expect(stopped).toEqual(held.map(({ turnId }) => [turnId, 'LeaseLost']));
  });
});
