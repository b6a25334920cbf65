import { LeaseLost } from '@portolan/store';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beat, claimTask, report, settle } from '../../builder/lease.ts';
import { builder } from '../../mcp/families.ts';
import { callerWith, testTools } from '../../testing/tools.ts';
import { builderCancelTask, builderGetTask, builderListTasks, builderQueueTask } from './tasks.ts';
import { builderRecoverWorker, builderWorkerStatus } from './workers.ts';

let tools: Awaited<ReturnType<typeof testTools>>;
beforeAll(async () => {
  tools = await testTools();
});
afterAll(() => tools.close());
beforeEach(async () => {
  await sql`truncate builder_task, builder_event, builder_worker, store_job`.execute(tools.db);
});

const ci = callerWith({ kind: 'builder_token', name: 'ci', scopes: ['builder'], grants: ['builder'] });
const wanted = { title: 'Tides', instructions: 'Show them', acceptance: 'They are shown' };
const queue = async (more: object = {}) =>
  tools.ask<{ id: string }>(builderQueueTask, { ...wanted, ...more }, ci);
const get = (taskId: string) => tools.ask(builderGetTask, { taskId }, ci);
const kinds = async (taskId: string) => {
  const { events } = await tools.ask<{ events: { kind: string }[] }>(builderGetTask, { taskId }, ci);
  return events.map(({ kind }) => kind);
};
const claim = (worker: string) => claimTask(tools.db, worker, (tools.clock.now += 1));

/** Claims for a worker that must get something. */
async function claimed(worker: string) {
  const taken = await claim(worker);
  if (!taken) throw new Error(`Nothing for ${worker}`);
  return taken;
}

describe('MER-34.1 access', () => {
  it('needs the scope and the grant as it stands at the call', async () => {
    const without = { ...ci, grants: [] };
    const other = { ...ci, scopes: ['control', 'author', 'harbour'] };
    for (const tool of builder.tools)
      for (const caller of [without, other])
        expect(await tools.ask(tool, tool.example, caller)).toEqual({
          refused: 'unknown_tool',
          message: tool.name,
        });
  });

  it('has no verb to commit, push, approve, merge or deploy', () => {
    expect(builder.tools.map(({ name }) => name)).toEqual([
      'builder_list_tasks',
      'builder_get_task',
      'builder_queue_task',
      'builder_cancel_task',
      'builder_worker_status',
      'builder_recover_worker',
    ]);
  });
});

describe('MER-34.2 the queue', () => {
  it('is worked by urgency, then by age, each task by one worker', async () => {
    const [low, old, urgent] = [
      await queue({ priority: 'low' }),
      await queue(),
      await queue({ priority: 'high' }),
    ];
    const taken = await Promise.all(['a', 'b', 'c', 'd'].map(claim));
    const got = taken.flatMap((one) => one?.task.id ?? []);
    expect(got.toSorted()).toEqual([low.id, old.id, urgent.id].toSorted());
    await sql`truncate builder_task, builder_event, store_job`.execute(tools.db);
    const ordered = [
      await queue({ priority: 'low' }),
      await queue(),
      await queue(),
      await queue({ priority: 'high' }),
    ];
    const order = [await claim('a'), await claim('b'), await claim('c'), await claim('d')].map(
      (one) => one?.task.id,
    );
    expect(order).toEqual([ordered[3]?.id, ordered[1]?.id, ordered[2]?.id, ordered[0]?.id]);
  });

  it('takes a task once for its key', async () => {
    const [one, two] = await Promise.all([
      queue({ idempotencyKey: 'run-17' }),
      queue({ idempotencyKey: 'run-17' }),
    ]);
    expect(one).toEqual(two);
    const { tasks } = await tools.ask(builderListTasks, {}, ci);
    expect(tasks).toHaveLength(1);
    expect(await claim('a')).toBeDefined();
    expect(await claim('b')).toBeUndefined();
  });

  it('lists by state and pages', async () => {
    const [first, second] = [await queue({ title: 'One' }), await queue({ title: 'Two' })];
    await claim('a');
    expect(await tools.ask(builderListTasks, { state: 'running' }, ci)).toMatchObject({
      tasks: [{ id: first.id, title: { untrusted: 'One' }, worker: 'a', queuedBy: 'builder_token:ci' }],
    });
    const page = await tools.ask(builderListTasks, { limit: 1 }, ci);
    expect(page).toMatchObject({ tasks: [{ id: second.id }] });
    expect(await tools.ask(builderListTasks, { limit: 1, cursor: page['nextCursor'] }, ci)).toMatchObject({
      tasks: [{ id: first.id }],
    });
  });
});

describe('MER-34.3 withdrawing', () => {
  it('is for a task that has not started', async () => {
    const [task, begun] = [await queue({ priority: 'low' }), await queue()];
    await claim('a');
    expect(await tools.ask(builderCancelTask, { taskId: task.id }, ci)).toMatchObject({ state: 'cancelled' });
    expect(await claim('b')).toBeUndefined();
    for (const taskId of [task.id, begun.id])
      expect(await tools.ask(builderCancelTask, { taskId }, ci)).toMatchObject({ refused: 'conflict' });
    expect(await get(begun.id)).toMatchObject({ state: 'running' });
    expect(await kinds(task.id)).toEqual(['queued', 'cancelled']);
    await expect(
      sql`update builder_task set state = 'queued', ended_at = null where id = ${task.id}`.execute(tools.db),
    ).rejects.toThrow('stays as it is');
  });

  it('and starting exclude each other, whichever comes first', async () => {
    for (let round = 0; round < 5; round++) {
      const task = await queue();
      const [taken, cancelled] = await Promise.all([
        claim('racer'),
        tools.ask(builderCancelTask, { taskId: task.id }, ci),
      ]);
      expect(taken === undefined).toBe(cancelled.refused === undefined);
    }
  });
});

describe('MER-34.4 a task', () => {
  it('tells its events, its log and how it ended', async () => {
    const task = await queue();
    const taken = await claimed('a');
    await report(
      tools.db,
      taken,
      { kind: 'agent', detail: 'exit 0', logTail: `${'x'.repeat(20_000)}end` },
      tools.clock.now,
    );
    await report(tools.db, taken, { kind: 'ci', detail: 'passed' }, (tools.clock.now += 1));
    await tools.db
      .transaction()
      .execute((tx) =>
        settle(tx, taken, { kind: 'failed', detail: 'Review found a fault' }, (tools.clock.now += 1)),
      );
    const ended = await tools.ask<{ logTail: { untrusted: string } }>(
      builderGetTask,
      { taskId: task.id },
      ci,
    );
    expect(ended).toMatchObject({
      state: 'failed',
      attempts: 1,
      reason: { untrusted: 'Review found a fault' },
      instructions: { untrusted: 'Show them' },
    });
    expect(ended.logTail.untrusted).toMatch(/^x{15997}end$/);
    expect('worker' in ended).toBe(false);
    expect(await kinds(task.id)).toEqual(['queued', 'claimed', 'agent', 'ci', 'failed']);
    expect(
      await tools.ask(builderGetTask, { taskId: '0198c5c8-2a00-7000-8000-00000000dead' }, ci),
    ).toMatchObject({
      refused: 'not_found',
    });
  });
});

describe('MER-34.5 a lost worker', () => {
  it('is told from one that is alive, and its task is taken away', async () => {
    const task = await queue();
    const taken = await claimed('a');
    tools.clock.now += 44_000;
    expect(await tools.ask(builderRecoverWorker, { taskId: task.id }, ci)).toMatchObject({
      refused: 'conflict',
      worker: 'a',
    });
    await beat(tools.db, taken, tools.clock.now);
    tools.clock.now += 44_000;
    expect(await tools.ask(builderRecoverWorker, { taskId: task.id }, ci)).toMatchObject({
      refused: 'conflict',
    });
    expect(await tools.ask(builderWorkerStatus, {}, ci)).toMatchObject({
      queued: { high: 0, normal: 0, low: 0 },
      running: 1,
      workers: [{ name: 'a', fresh: true, taskId: task.id }],
    });
    tools.clock.now += 2000;
    expect(await tools.ask(builderWorkerStatus, {}, ci)).toMatchObject({
      workers: [{ name: 'a', fresh: false }],
    });
    expect(await tools.ask(builderRecoverWorker, { taskId: task.id }, ci)).toMatchObject({
      state: 'queued',
      attempts: 1,
    });
    expect(await tools.ask(builderRecoverWorker, { taskId: task.id }, ci)).toMatchObject({
      refused: 'conflict',
    });
    const other = await claimed('b');
    expect(other.task.id).toBe(task.id);
    const late = [
      () => beat(tools.db, taken, tools.clock.now),
      () => report(tools.db, taken, { kind: 'ci', detail: 'passed' }, tools.clock.now),
      () =>
        tools.db
          .transaction()
          .execute((tx) => settle(tx, taken, { kind: 'merged', detail: 'abc' }, tools.clock.now)),
    ];
    for (const say of late) await expect(say()).rejects.toThrow(LeaseLost);
    expect(await get(task.id)).toMatchObject({ state: 'running', worker: 'b', attempts: 2 });
  });

  it('loses its task by itself when the lease ends', async () => {
    await queue();
    const taken = await claimed('a');
    tools.clock.now += 299_000;
    expect(await claim('b')).toBeUndefined();
    tools.clock.now += 2000;
    expect((await claim('b'))?.task.id).toBe(taken.task.id);
    await expect(beat(tools.db, taken, tools.clock.now)).rejects.toThrow(LeaseLost);
  });

  it('fails the task when it was the third, by recovery and by itself', async () => {
    const recovered = await queue();
    for (const worker of ['a', 'b', 'c']) {
      await claimed(worker);
      tools.clock.now += 60_000;
      await tools.ask(builderRecoverWorker, { taskId: recovered.id }, ci);
    }
    const verdict = { state: 'failed', attempts: 3, reason: { untrusted: 'Its worker was lost 3 times.' } };
    expect(await get(recovered.id)).toMatchObject(verdict);
    expect(await claim('d')).toBeUndefined();
    const lapsed = await queue();
    for (const worker of ['a', 'b', 'c']) {
      await claimed(worker);
      tools.clock.now += 301_000;
    }
    expect(await claim('d')).toBeUndefined();
    expect(await get(lapsed.id)).toMatchObject(verdict);
    const left = await sql`select from store_job`.execute(tools.db);
    expect(left.rows).toHaveLength(0);
  });
});

it('MER-30.7 builder: every write has left its row in the audit trail, and no read has', async () => {
  const { rows } = await sql<{ action: string }>`select distinct action from audit order by action`.execute(
    tools.db,
  );
  const writes = builder.tools.filter(({ effect }) => effect !== 'reads');
  expect(rows.map(({ action }) => action)).toEqual(writes.map(({ name }) => name).toSorted());
});
