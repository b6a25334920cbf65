import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { backoff, claim, complete, enqueue, fail, heartbeat, type Job, revoke } from './claims.ts';
import { newId } from './id.ts';
import { testStore, type TestStore } from './testing/index.ts';

let store: TestStore<unknown>;

beforeAll(async () => {
  store = await testStore({ app: 'harbour', migrations: [] });
});
afterAll(() => store.close());
beforeEach(() => sql`delete from store_job`.execute(store.db));

const start = new Date('2026-03-01T10:00:00Z');

function after(ms: number): Date {
  return new Date(start.getTime() + ms);
}

async function add(dedupeKey?: string, maxAttempts = 3): Promise<string> {
  const id = newId(start.getTime());
  const job = { id, queue: 'mail', payload: { letter: 7 }, maxAttempts, ...(dedupeKey ? { dedupeKey } : {}) };
  await enqueue(store.db, job, start);
  return id;
}

function take(worker: string, now: Date, limit = 10): Promise<readonly Job[]> {
  return claim(store.db, { queue: 'mail', worker, leaseMs: 1_000, limit, now });
}

async function one(worker: string, now: Date): Promise<Job> {
  const [job] = await take(worker, now, 1);
  if (!job) throw new Error('No job');
  return job;
}

describe('claims', () => {
  it('hand out a job with what it needs', async () => {
    const id = await add();
    expect(await take('a', start)).toEqual([
      { id, queue: 'mail', payload: { letter: 7 }, attempt: 1, maxAttempts: 3, fence: 1 },
    ]);
    expect(await take('b', start)).toEqual([]);
  });
});

describe('a lease', () => {
  it('lets another worker take the job when it has ended, and fences the first one', async () => {
    await add();
    const first = await one('a', start);
    expect(await take('b', after(999))).toEqual([]);
    const second = await one('b', after(1_000));
    expect(second).toMatchObject({ id: first.id, attempt: 2, fence: 2 });
    await expect(heartbeat(store.db, first, 1_000, after(1_001))).rejects.toThrow('The lease on job');
    await expect(complete(store.db, first)).rejects.toMatchObject({ name: 'LeaseLost' });
    await expect(fail(store.db, first, { error: 'x', now: start, retryInMs: 1 })).rejects.toMatchObject({
      name: 'LeaseLost',
    });
    await complete(store.db, second);
    expect(await count()).toBe(0);
  });

  it('is lengthened by a heartbeat', async () => {
    await add();
    await heartbeat(store.db, await one('a', start), 1_000, after(900));
    expect(await take('b', after(1_899))).toEqual([]);
    expect(await take('b', after(1_900))).toHaveLength(1);
  });

  it('rolls back the effect of a worker that lost it', async () => {
    await add();
    const lost = await one('a', start);
    await one('b', after(1_000));
    const late = store.db.transaction().execute(async (tx) => {
      await add('effect of the lost worker');
      await enqueue(tx, { id: newId(1), queue: 'effects', payload: 1, maxAttempts: 1 }, start);
      await complete(tx, lost);
    });
    await expect(late).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(
      await claim(store.db, { queue: 'effects', worker: 'c', leaseMs: 1, limit: 1, now: start }),
    ).toEqual([]);
  });

  it('is taken away by revoke, at once and for good', async () => {
    await add();
    const taken = await one('a', start);
    expect(await revoke(store.db, taken.id, after(1))).toBe(true);
    await expect(complete(store.db, taken)).rejects.toMatchObject({ name: 'LeaseLost' });
    expect(await one('b', after(1))).toMatchObject({ id: taken.id, attempt: 1, fence: 3 });
    expect(await revoke(store.db, newId(0), start)).toBe(false);
  });
});

describe('a failed job', () => {
  it('comes again after its pause until its attempts are used up, then lies with the dead letters', async () => {
    const id = await add();
    for (const [at, result] of [
      [0, 'retries'],
      [100, 'retries'],
      [200, 'dead'],
    ] as const) {
      if (at > 0) expect(await take('a', after(at - 1))).toEqual([]);
      const job = await one('a', after(at));
      expect(await fail(store.db, job, { error: 'no answer', now: after(at), retryInMs: 100 })).toBe(result);
    }
    expect(await take('a', after(1e9))).toEqual([]);
    expect(await row(id)).toMatchObject({ state: 'dead', attempts: 3, last_error: 'no answer' });
    await revoke(store.db, id, after(300));
    expect(await one('a', after(300))).toMatchObject({ id, attempt: 1 });
  });

  it('goes to the dead letters at once when told never to retry', async () => {
    await add();
    const job = await one('a', start);
    expect(await fail(store.db, job, { error: 'refused', now: start, retryInMs: 'never' })).toBe('dead');
  });

  it('that kills its workers ends with the dead letters too', async () => {
    const id = await add('poison', 2);
    await one('a', start);
    await one('b', after(1_000));
    expect(await take('c', after(2_000))).toEqual([]);
    expect(await row(id)).toMatchObject({ state: 'dead', attempts: 2, last_error: 'the worker was lost' });
  });

  it('waits twice as long each time, up to a limit', () => {
    expect([1, 2, 3, 4, 5].map((attempt) => backoff(attempt, 100, 1_000))).toEqual([
      100, 200, 400, 800, 1_000,
    ]);
  });
});

describe('enqueue', () => {
  it('adds nothing while a job with the same key waits or runs, and does again when it is done', async () => {
    const id = await add('letter-7');
    await add('letter-7');
    expect(await count()).toBe(1);
    const job = await one('a', start);
    expect(job.id).toBe(id);
    await add('letter-7');
    expect(await count()).toBe(1);
    await complete(store.db, job);
    await add('letter-7');
    expect(await count()).toBe(1);
  });

  it('says whether it added the job', async () => {
    const job = { id: newId(1), queue: 'mail', payload: null, dedupeKey: 'k', maxAttempts: 1 };
    expect(await enqueue(store.db, job, start)).toBe(true);
    expect(await enqueue(store.db, { ...job, id: newId(2) }, start)).toBe(false);
  });

  it('is undone with the transaction of its cause', async () => {
    const failing = store.db.transaction().execute(async (tx) => {
      await enqueue(tx, { id: newId(1), queue: 'mail', payload: 1, maxAttempts: 1 }, start);
      throw new Error('the cause failed');
    });
    await expect(failing).rejects.toThrow('the cause failed');
    expect(await count()).toBe(0);
  });

  it('keeps a job back until it is due, and hands out the oldest first', async () => {
    await enqueue(
      store.db,
      { id: newId(3), queue: 'mail', payload: 'late', dueAt: after(2), maxAttempts: 1 },
      start,
    );
    await enqueue(
      store.db,
      { id: newId(4), queue: 'mail', payload: 'early', dueAt: after(1), maxAttempts: 1 },
      start,
    );
    expect(await take('a', start)).toEqual([]);
    expect((await take('a', after(2))).map(({ payload }) => payload)).toEqual(['early', 'late']);
  });
});

describe('many workers', () => {
  it('share 500 jobs so that each is done once', async () => {
    for (let n = 0; n < 500; n++)
      await enqueue(store.db, { id: newId(n), queue: 'mail', payload: n, maxAttempts: 1 }, start);
    const done: unknown[] = [];
    async function work(worker: string): Promise<void> {
      for (;;) {
        const jobs = await take(worker, start, 7);
        if (jobs.length === 0) return;
        for (const job of jobs) {
          await complete(store.db, job);
          done.push(job.payload);
        }
      }
    }
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(work));
    expect(new Set(done).size).toBe(500);
    expect(done).toHaveLength(500);
  });
});

async function count(): Promise<number> {
  const rows = await sql<{ n: number }>`select count(*) as n from store_job`.execute(store.db);
  return rows.rows[0]?.n ?? -1;
}

async function row(id: string): Promise<unknown> {
  return (await sql`select * from store_job where id = ${id}`.execute(store.db)).rows[0];
}
