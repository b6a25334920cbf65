import { readdirSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { obey } from '../obey.ts';
import { holders } from './holders.ts';
import { kinds, onStdio } from './servers.ts';

/** Either many servers at once beside each kind alone, or rounds of start, call and stop of one server. */
export type HoldOrder = { readonly crowd: number } | { readonly rounds: number };

/** Milliseconds from the order to ready: of the slowest kind alone, and of all together; and to the end of their stop. */
export interface CrowdResult {
  readonly alone: number;
  readonly together: number;
  readonly stop: number;
}

/** What the process holds after so many rounds. Sizes in bytes, after a collection of garbage. */
export interface RoundsResult {
  readonly rounds: number;
  readonly rss: number;
  readonly heap: number;
  readonly files: number;
}

const [name = ''] = process.argv.slice(2);
const open = holders[name as keyof typeof holders];
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

obey((order: HoldOrder) => ('crowd' in order ? crowd(order.crowd) : rounds(order.rounds)));

async function crowd(count: number): Promise<CrowdResult> {
  const names = Array.from({ length: count }, (_, index) => `server-${index}`);
  const kindOf = (index: number) => kinds[index % kinds.length] ?? 'everything';
  const holder = await open(new Map(names.map((one, index) => [one, onStdio(kindOf(index))])));
  const alone: number[] = [];
  for (const one of names.slice(0, kinds.length)) {
    alone.push(await timed(() => holder.start(one)));
    await holder.stop(one);
  }
  const together = await timed(() => Promise.all(names.map((one) => holder.start(one))));
  const stop = await timed(() => Promise.all(names.map((one) => holder.stop(one))));
  await holder.close();
  return { alone: Math.max(...alone), together, stop };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

/** A reading after the first round, and at each quarter of them. */
async function rounds(count: number): Promise<RoundsResult[]> {
  // A server that ends with its input at once: the wait for one that does not would be most of a round.
  const holder = await open(new Map([['peer', onStdio('memory')]]));
  const readings: RoundsResult[] = [];
  for (let round = 1; round <= count; round++) {
    await holder.start('peer');
    await holder.call('peer', 'read_graph', {});
    await holder.stop('peer');
    if (round === 1 || (4 * round) % count === 0) readings.push(await reading(round));
  }
  await holder.close();
  return readings;
}

async function reading(done: number): Promise<RoundsResult> {
  // What a round has left to finalisers goes in a later turn.
  for (let pass = 0; pass < 3; pass++) {
    collectGarbage();
    await new Promise((next) => setImmediate(next));
  }
  const { rss, heapUsed } = process.memoryUsage();
  return { rounds: done, rss, heap: heapUsed, files: readdirSync('/proc/self/fd').length };
}
