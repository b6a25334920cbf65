import { setTimeout as wait } from 'node:timers/promises';
import { startChild, type Child } from '../child.ts';
import { bodyOf } from '../exercise.ts';
import { median } from '../figures.ts';
import type { LoadMessage, LoadResult } from '../load-process.ts';
import { familyCpu, machineCpu, processCpu, processors, threadsCpu } from '../machine.ts';
import type { Effort } from '../measure.ts';
import { openDatabase, type Database } from './database.ts';
import { growTo, plantPeople, type Tokens } from './plant.ts';
import type { PeerOrder, PeerReady } from './sdk-process.ts';
import { startSite } from './site.ts';
import { subjects, type Side, type Subject } from './subjects.ts';

/** What to run. */
export interface DoorsPlan {
  readonly variants: readonly string[];
  readonly rounds: number;
  /** How many short windows a round has at each of two sides that are compared; what has one side has one. */
  readonly pairs: number;
  /** How many grants, each with a token, are stored while it is measured. */
  readonly grants: readonly number[];
  /** Once before all rounds, at every side, not counted: until the serving processes have compiled what they run. */
  readonly heating: Effort;
  /** One client at a time for the latency, several for the cost. */
  readonly alone: Effort;
  readonly crowd: Effort;
}

/** One window at one side. */
export interface DoorFigure {
  /** Milliseconds that a lone client waited. */
  readonly p50: number;
  /** Microseconds of processor time of the serving process a request, with several clients. */
  readonly cpu: number;
  /** The same of all processes of the database. */
  readonly databaseCpu: number;
  readonly perSecond: number;
  /** Share of all processors that others used meanwhile, 0 to 1. */
  readonly foreign: number;
}

/** One row of the report. What the sides of a subject did one after the other stands at the same place in their figures. */
export interface DoorRow {
  readonly subject: Subject;
  readonly side: Side;
  readonly grants: number;
  readonly bytes: number;
  readonly figures: DoorFigure[];
}

/** Everything that runs during the bench. */
interface Scene {
  readonly database: Database;
  readonly tokens: Tokens;
  readonly load: Child;
  readonly sides: Readonly<Record<Side, { readonly url: string; readonly pid: number }>>;
}

/** What has to be ended, the last one first. */
type Running = Pick<Child, 'end'>;

/** Runs the plan: for each number of grants the rounds, in which the sides take turns. Throws when an answer is wrong or a request fails. */
export async function benchDoors(plan: DoorsPlan, say: (line: string) => void): Promise<DoorRow[]> {
  const running: Running[] = [];
  try {
    const scene = await open(running);
    const rows: DoorRow[] = [];
    for (const grants of plan.grants) {
      await growTo(scene.database.client, grants, scene.sides.authorised.url);
      const fresh = await rowsAt(grants, scene, plan);
      if (rows.length === 0) for (const row of fresh) await window(row, scene, plan.heating);
      rows.push(...(await runRounds(fresh, scene, plan, say)));
    }
    return rows;
  } finally {
    for (const one of running.toReversed()) await one.end();
  }
}

async function open(running: Running[]): Promise<Scene> {
  const database = await openDatabase();
  running.push(database);
  const site = await startSite(database.url);
  running.push(site);
  const load = startChild('load-process');
  running.push(load);
  const wide = `${site.origin}/api/mcp`;
  const tokens = await plantPeople(database.client, wide);
  const { pid } = site;
  const sides = {
    open: { url: `${wide}/discovery`, pid },
    authorised: { url: wide, pid },
    sdk2: { url: '', pid: 0 },
  };
  const peer = startChild('doors/sdk-process');
  running.push(peer);
  peer.send(await orderOf(sides.authorised, { database, tokens }));
  const { url } = await peer.next<PeerReady>(60_000);
  return { database, tokens, load, sides: { ...sides, sdk2: { url, pid: peer.pid } } };
}

/** Has the peer list and answer what the site does. */
async function orderOf(
  { url }: { readonly url: string },
  { database, tokens }: Pick<Scene, 'database' | 'tokens'>,
): Promise<PeerOrder> {
  const say = async (title: string) => {
    const subject = subjects.find((one) => one.title === title);
    if (!subject) throw new Error(title);
    return (await answerOf(subject, url, tokens.admin)).result;
  };
  const { tools = [] } = await say('tools/list, an administrator’s');
  const { structuredContent = {} } = await say('survey_capabilities');
  return { databaseUrl: database.url, audience: url, tools, answer: structuredContent };
}

interface Result {
  readonly tools?: PeerOrder['tools'];
  readonly structuredContent?: Record<string, unknown>;
  readonly isError?: boolean;
}

/** Asks once. Throws where the answer is anything but a good result. */
async function answerOf({ asked, title }: Subject, url: string, token: string | undefined) {
  const headers = { ...asked.headers, ...bearer(token) };
  const response = await fetch(url, { method: 'POST', headers, body: bodyOf(asked, 4711) });
  const body = await response.text();
  const { result } = JSON.parse(body) as { result?: Result };
  if (response.status !== 200 || !result || result.isError || !(result.tools ?? result.structuredContent))
    throw new Error(`${title} at ${url}: ${response.status} ${body.slice(0, 300)}`);
  return { result, bytes: Buffer.byteLength(body) };
}

function bearer(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}

async function rowsAt(grants: number, { sides, tokens }: Scene, { variants }: DoorsPlan) {
  const rows: DoorRow[] = [];
  for (const subject of subjects)
    for (const side of subject.sides.filter((one) => variants.includes(one))) {
      const { bytes } = await answerOf(subject, sides[side].url, tokenFor(side, subject, tokens));
      rows.push({ subject, side, grants, bytes, figures: [] });
    }
  return rows;
}

function tokenFor(side: Side, { as }: Subject, tokens: Tokens): string | undefined {
  return side === 'open' ? undefined : tokens[as];
}

/**
 * The sides of a subject take turns in short windows, so that whatever else the machine does meets both alike. Every second turn and every
 * second round goes backwards, so that a drift favours nobody.
 */
async function runRounds(rows: DoorRow[], scene: Scene, plan: DoorsPlan, say: (line: string) => void) {
  for (let round = 1; round <= plan.rounds; round++)
    for (const subject of round % 2 ? subjects : subjects.toReversed()) {
      const those = rows.filter((row) => row.subject === subject);
      const turns = those.length > 1 ? plan.pairs : 1;
      for (let turn = 0; turn < turns; turn++)
        for (const row of (round + turn) % 2 ? those : those.toReversed())
          row.figures.push(await measure(row, scene, plan));
      for (const row of those) say(`${round}/${plan.rounds} ${lineOf(row)}`);
    }
  return rows;
}

function lineOf({ grants, subject, side, figures }: DoorRow): string {
  const middle = (of: 'cpu' | 'p50') => median(figures.map((figure) => figure[of]));
  return `${grants} grants, ${subject.title}, ${side}: ${middle('cpu').toFixed(1)} µs, ${middle('p50').toFixed(2)} ms`;
}

async function measure(row: DoorRow, scene: Scene, { alone, crowd }: DoorsPlan): Promise<DoorFigure> {
  const { p50 } = await window(row, scene, alone);
  const { cpu, databaseCpu, perSecond, foreign } = await window(row, scene, crowd);
  return { p50, cpu, databaseCpu, perSecond, foreign };
}

/** Loads one side and counts between two moments under load. A window in which the server did nothing is prolonged, for a minute at most. */
async function window(
  { subject, side }: DoorRow,
  { load, sides, tokens, database }: Scene,
  { connections, warmUp, window: seconds }: Effort,
): Promise<DoorFigure> {
  const { url, pid } = sides[side];
  const headers = { ...subject.asked.headers, ...bearer(tokenFor(side, subject, tokens)) };
  load.send({ ...subject.asked, headers, url, connections } satisfies LoadMessage);
  await load.next(60_000);
  await wait(warmUp * 1000);
  const sample = () => sampleOf(pid, database.postmaster, load.pid);
  load.send('count' satisfies LoadMessage);
  const before = sample();
  let after = before;
  for (let waited = 0; after.cpu === before.cpu && waited < 60; waited += seconds) {
    await wait(seconds * 1000);
    after = sample();
  }
  load.send('stop' satisfies LoadMessage);
  const { answered, failed, p50 } = await load.next<LoadResult>(60_000);
  if (failed > 0) throw new Error(`${failed} requests of ${subject.title} failed at ${side}`);
  const took = after.at - before.at;
  return {
    p50,
    cpu: (after.cpu - before.cpu) / answered,
    databaseCpu: (after.database - before.database) / answered,
    perSecond: (answered / took) * 1000,
    foreign: Math.min(1, Math.max(0, (after.others - before.others) / (took * 1000 * processors))),
  };
}

/** Processor time in microseconds; the clock in milliseconds. */
function sampleOf(pid: number, postmaster: number, load: number) {
  const cpu = threadsCpu(pid);
  const database = familyCpu(postmaster);
  const known = [pid, load, process.pid].reduce((sum, one) => sum + processCpu(one), database);
  return { cpu, database, others: machineCpu() - known, at: performance.now() };
}
