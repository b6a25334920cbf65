import { edge, listen, throttle, throttleTable, createLog } from '@portolan/http';
import type { Listener, ThrottleStore } from '@portolan/http';
import { testStore } from '@portolan/store/testing';
import type { TestStore } from '@portolan/store/testing';
import { CompiledQuery, sql } from 'kysely';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let store: TestStore<unknown>;
const nodes: Listener[] = [];

beforeAll(async () => {
  store = await testStore({
    app: 'harbour',
    migrations: [{ name: 'harbour_0001_throttle', up: makeTable }],
  });
});
afterAll(async () => {
  for (const node of nodes) await node.close({ graceMs: 0 });
  await store.close();
});

async function makeTable(db: Kysely<unknown>): Promise<void> {
  await sql.raw(throttleTable('harbour')).execute(db);
}

/** One of several nodes that count in the same place. */
async function startNode(query: ThrottleStore['query']): Promise<() => Promise<number>> {
  const log = createLog({ name: 'node', level: 'fatal' });
  const app = edge({ log, name: 'node', bodyLimit: 64 });
  const budget = { name: 'sign-in', points: 3, perSeconds: 60, store: { schema: 'harbour', query } };
  app.use('/sign-in', throttle({ ...budget, key: () => 'ann@example.test' }));
  app.get('/sign-in', (c) => c.text('in'));
  const node = await listen({ fetch: app.fetch, host: '127.0.0.1', port: 0, log });
  nodes.push(node);
  return async () => (await fetch(`${node.origin}/sign-in`)).status;
}

const inDatabase: ThrottleStore['query'] = ({ text, values }) =>
  store.db.executeQuery(CompiledQuery.raw(text, [...values]));

describe('a throttle of several nodes', () => {
  it('counts them together, and keeps no name', async () => {
    const [one, other] = await Promise.all([startNode(inDatabase), startNode(inDatabase)]);
    expect([await one(), await other(), await one(), await other(), await one()]).toEqual([
      200, 200, 200, 429, 429,
    ]);
    const { rows } = await sql<{ key: string; points: number }>`select * from harbour.throttle`.execute(
      store.db,
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.key).toMatch(/^sign-in:[\w-]{43}$/);
  });

  it('goes on for each node alone while the database cannot be reached', async () => {
    const cut = () => Promise.reject(new Error('connection refused'));
    const [one, other] = await Promise.all([startNode(cut), startNode(cut)]);
    expect([await one(), await one(), await one(), await one()]).toEqual([200, 200, 200, 429]);
    expect(await other()).toBe(200);
  });
});
