import { setTimeout as wait } from 'node:timers/promises';
import type { Child } from './child.ts';
import type { Asked } from './exercise.ts';
import type { LoadMessage, LoadResult } from './load-process.ts';
import { machineCpu, processCpu, processors } from './machine.ts';
import type { ServerSample } from './server-process.ts';

/** One figure: what a server did in one window. */
export interface Figure {
  readonly perSecond: number;
  /** Milliseconds, seen by the clients. */
  readonly p50: number;
  /** Milliseconds, seen by the clients. */
  readonly p99: number;
  /** Microseconds of processor time of the server a request. */
  readonly cpu: number;
  /** Share of all processors that others used meanwhile, 0 to 1. */
  readonly foreign: number;
}

/** How hard and how long. */
export interface Effort {
  readonly connections: number;
  /** Seconds. */
  readonly warmUp: number;
  /** Seconds. */
  readonly window: number;
}

/** A server process, and where it listens. */
export interface Target {
  readonly process: Child;
  readonly url: string;
}

/**
 * Loads one server and counts between two moments under load. Throws when a request fails: there is no figure
 * then, and the load process is of no more use.
 */
export async function measure(
  server: Target,
  load: Child,
  asked: Asked,
  { connections, warmUp, window }: Effort,
): Promise<Figure> {
  load.send({ ...asked, url: server.url, connections } satisfies LoadMessage);
  await load.next(60_000);
  await wait(warmUp * 1000);
  load.send('count' satisfies LoadMessage);
  const before = await sample(server.process, load);
  const after = await nextSample(server.process, load, before, window);
  load.send('stop' satisfies LoadMessage);
  return figure(minus(after, before), await load.next<LoadResult>(60_000));
}

/** The sample at the end of the window. A window without any answer is prolonged, for a minute at most. */
async function nextSample(server: Child, load: Child, before: Sample, window: number): Promise<Sample> {
  for (let waited = 0; waited < 60; waited += window) {
    await wait(window * 1000);
    const after = await sample(server, load);
    if (after.answered > before.answered) return after;
  }
  throw new Error('no answer for a minute');
}

function figure({ answered, cpu, at, others }: Sample, { p50, p99, failed }: LoadResult): Figure {
  if (failed > 0) throw new Error(`${failed} requests failed`);
  const foreign = Math.min(1, Math.max(0, others / (at * 1000 * processors)));
  return { perSecond: (answered / at) * 1000, p50, p99, cpu: cpu / answered, foreign };
}

interface Sample extends ServerSample {
  /** Microseconds that neither the server, nor the load, nor we have used. */
  readonly others: number;
}

async function sample(server: Child, load: Child): Promise<Sample> {
  server.send({});
  const counted = await server.next<ServerSample>(60_000);
  const ours = [server.pid, load.pid, process.pid].map(processCpu);
  return { ...counted, others: machineCpu() - ours.reduce((sum, one) => sum + one, 0) };
}

function minus(after: Sample, before: Sample): Sample {
  return {
    answered: after.answered - before.answered,
    cpu: after.cpu - before.cpu,
    at: after.at - before.at,
    others: after.others - before.others,
  };
}
