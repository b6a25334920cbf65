import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { openCalls, openTranscript, type Entry } from '@portolan/agent';
import { testDatabase } from '@portolan/store/testing';
import type { SvedaEvent } from '@sveda-ai/protocol';
import { createGrammar } from '@sveda-ai/protocol/testing';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrations } from '../migrations.ts';
import { testRows } from '../testing/rows.ts';
import { NODES, op, script, type Op } from './testing/operations.ts';
import { openRun, type Run } from './testing/run.ts';
import { openNode, tools, type Talk, type TestNode } from './testing/world.ts';

const SLOW = process.env.PORTOLAN_TRUE_TIME === '1';

let database: Awaited<ReturnType<typeof testDatabase>>;
const talks = new Map<string, Talk>();
const nodes: TestNode[] = [];
const graveyard: TestNode[] = [];

beforeAll(async () => {
  database = await testDatabase({ app: 'sveda', migrations });
  for (let index = 0; index < NODES; index += 1) nodes.push(await openNode(database.url, talks));
});
afterAll(async () => {
  for (const node of [...nodes, ...graveyard]) await node.close();
  await database.drop();
});

async function apply(run: Run, talk: Talk, one: Op): Promise<void> {
  const at = (index: number): TestNode => nodes[index] as TestNode;
  switch (one.does) {
    case 'message':
      return run.post(at(one.node), { message: { text: 'Go on.' } });
    case 'continue':
      return run.chatId === undefined ? undefined : run.post(at(one.node), { continue: true });
    case 'result': {
      const toolCallId = pick(run.pageCalls(), one.which);
      if (toolCallId) await run.post(at(one.node), { toolResults: [{ toolCallId, output: one.which }] });
      return;
    }
    case 'decide': {
      const toolCallId = pick(run.askedCalls(), one.which);
      if (toolCallId) await run.post(at(one.node), { toolDecisions: [{ toolCallId, decision: one.how }] });
      return;
    }
    case 'stop':
      if (run.chatId === undefined) return;
      return asking(at(one.node), (from) => from.stop(run.chatId ?? '', run.turnId));
    case 'join':
      if (run.turnId !== '') run.read(at(one.node), run.turnId, one.after);
      return;
    case 'cut':
      run.readings.at(-1 - one.which)?.cut.abort();
      return;
    case 'kill':
      return kill(one.node);
    case 'freeze':
      // It lives, but has not said so for too long.
      await expire(at(one.node));
      return;
    case 'sweep':
      return asking(at(one.node), (from) => from.sweep());
    case 'forbid': {
      const name = tools[one.which]?.name ?? '';
      if (!talk.allowed.delete(name)) talk.allowed.add(name);
      return;
    }
    case 'release':
      return release(talk);
    case 'pause':
      await wait(one.ms);
  }
}

/** Mostly the newest: what is open stands among them. */
function pick(calls: readonly string[], which: number): string | undefined {
  return calls[which % Math.min(calls.length, 4)];
}

/** A node that dies over its work gives no answer. */
async function asking(from: TestNode, work: (from: TestNode) => Promise<unknown>): Promise<void> {
  await work(from).catch((error: unknown) => {
    if (!from.isDead) throw error;
  });
}

/** The node dies, the time of its leases goes by, and another one takes its place. */
async function kill(index: number): Promise<void> {
  const dead = nodes[index] as TestNode;
  nodes[index] = await openNode(database.url, talks);
  dead.die();
  graveyard.push(dead);
  await dead.rest();
  await expire(dead);
}

function expire(node: TestNode): Promise<unknown> {
  return testRows(
    database.url,
    `update sveda.turn set lease_until = now() - interval '1 second' where node = '${node.name}'`,
  );
}

function release(talk: Talk): void {
  talk.release();
  talk.released = new Promise((resolve) => (talk.release = resolve));
}

/** Lets everything come to rest: nothing runs, nothing is held, every reader has its end. */
async function settle(run: Run, talk: Talk): Promise<void> {
  const ends = setInterval(() => release(talk), 5);
  await Promise.all(run.pending);
  await Promise.all(nodes.map((one) => one.rest()));
  for (const dead of graveyard) await expire(dead);
  while ((await (nodes[0] as TestNode).sweep()) > 0);
  await Promise.all(run.readings.map(({ over }) => over));
  await Promise.all(graveyard.splice(0).map((dead) => dead.close()));
  clearInterval(ends);
}

/** What must hold of a chat that has come to rest, whatever happened before. */
async function check(run: Run, talk: Talk): Promise<void> {
  const turns = await testRows(
    database.url,
    `select id, status, node, entries from sveda.turn where chat_id = '${run.chatId}' order by ordinal`,
  );
  const rows = await testRows(
    database.url,
    `select e.turn_id, e.body from sveda.event e join sveda.turn t on t.id = e.turn_id where t.chat_id = '${run.chatId}' order by e.turn_id, e.id`,
  );
  const stored = new Map<string, SvedaEvent[]>();
  for (const { turn_id, body } of rows)
    stored.set(String(turn_id), [...(stored.get(String(turn_id)) ?? []), body as SvedaEvent]);
  for (const events of stored.values()) {
    const grammar = createGrammar();
    for (const event of events) {
      grammar.take(event);
      if (event.type === 'message.end') grammar.done();
    }
    expect(grammar.atRest).toBe(true);
  }
  for (const { turnId, after, events, cut, from } of run.readings) {
    const all = stored.get(turnId) ?? [];
    expect(events).toEqual(all.slice(after, after + events.length));
    // Who came when nothing ran has nothing; everybody else has the end of the segment.
    if (!cut.signal.aborted && !from.isDead)
      expect([undefined, 'message.end']).toContain(events.at(-1)?.type);
  }
  const all = [...stored.values()].flat();
  const approved = new Set(
    all.flatMap((event) =>
      event.type === 'tool.decision' && event.decision === 'approve' ? [event.toolCallId] : [],
    ),
  );
  expect(talk.runs.map(({ callId }) => callId)).toEqual([...new Set(talk.runs.map(({ callId }) => callId))]);
  expect(talk.runs.filter(({ name, callId }) => name === 'wipeAsked' && !approved.has(callId))).toEqual([]);
  expect(talk.runs.filter(({ name, offered }) => !offered || name.startsWith('show'))).toEqual([]);
  const results = new Map(
    all.flatMap((event) => (event.type === 'tool.result' ? [[event.toolCallId, event.status]] : [])),
  );
  const sent = new Set(talk.runs.map(({ callId }) => callId));
  for (const [callId, status] of results)
    if (sent.has(callId)) expect(['succeeded', 'uncertain']).toContain(status);
  for (const [index, { status, node: holder, entries }] of turns.entries()) {
    expect([status, holder]).not.toContain('running');
    const open = openCalls(openTranscript(entries as Entry[]).lastStep).map(({ state }) => state);
    expect(open.filter((state) => state !== 'asking' && state !== 'page')).toEqual([]);
    if (index < turns.length - 1 || ['done', 'stopped', 'max_steps'].includes(String(status)))
      expect(open).toEqual([]);
  }
}

describe('a turn, whatever happens to it in whatever order', () => {
  it(
    'SVE-13.3 SVE-25.5 SVE-34.2 runs no call twice and none undecided, keeps its grammar, and reads as it is stored',
    { timeout: SLOW ? 600_000 : 120_000 },
    async ({ annotate }) => {
      let runs = 0;
      let executed = 0;
      await fc.assert(
        fc.asyncProperty(
          script,
          fc.array(fc.tuple(op, fc.boolean()), { minLength: 15, maxLength: 50 }),
          async (steps, ops) => {
            const talk: Talk = {
              visitor: `v${randomUUID().slice(0, 8)}`,
              script: steps,
              allowed: new Set(tools.map(({ name }) => name)),
              runs: [],
              release: () => undefined,
              released: Promise.resolve(),
            };
            release(talk);
            talks.set(talk.visitor, talk);
            const run = openRun(talk);
            await run.post(nodes[0] as TestNode, { message: { text: 'Begin.' } });
            for (const [one, isAwaited] of ops) {
              const done = apply(run, talk, one);
              run.pending.push(done);
              done.catch(() => undefined);
              if (isAwaited || one.does === 'kill') await done;
            }
            await settle(run, talk);
            await check(run, talk);
            talks.delete(talk.visitor);
            runs += 1;
            executed += talk.runs.length;
          },
        ),
        { numRuns: SLOW ? 2_000 : 40, interruptAfterTimeLimit: SLOW ? 500_000 : 60_000, endOnFailure: true },
      );
      // A slow machine does fewer; none at all would prove nothing.
      expect(runs).toBeGreaterThan(3);
      expect(executed).toBeGreaterThan(0);
      await annotate(`${runs} plays, ${executed} calls`);
    },
  );
});
