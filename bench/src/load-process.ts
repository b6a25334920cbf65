import autocannon from 'autocannon';
import { bodyOf, type Asked } from './exercise.ts';

/** What to load, and with how many clients that each have one request under way. */
export interface LoadOrder extends Asked {
  readonly url: string;
  readonly connections: number;
}

/**
 * What the parent says, as often as it likes: first the order (answered by `{started: true}` when the requests are out), then `count` at
 * the end of the warm-up, then `stop` (answered by a `LoadResult`).
 */
export type LoadMessage = LoadOrder | 'count' | 'stop';

/** What the clients saw between `count` and `stop`. */
export interface LoadResult {
  /** Answers in that time. */
  readonly answered: number;
  /** Milliseconds. */
  readonly p50: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Requests without a good answer, the warm-up included. */
  readonly failed: number;
}

/** Ids that a client goes through before it begins again. */
const idsEach = 8;

/** Nobody needs a run that long: the parent has died in a way that we did not see. */
const longestRun = 300;

let latencies: number[] = [];
let counting = false;
let stop: (() => void) | undefined;

process.on('message', (message: LoadMessage) => {
  if (message === 'count') counting = true;
  else if (message === 'stop') stop?.();
  else run(message);
});
process.on('disconnect', () => process.exit(0));

function run({ url, headers, connections, ...message }: LoadOrder): void {
  latencies = [];
  counting = false;
  const ids = distinctIds();
  const setupClient = (client: autocannon.Client) =>
    client.setRequests(ids.next().value.map((id) => ({ body: bodyOf(message, id) })));
  const shot = { url, method: 'POST', headers, setupClient } as const;
  const pace = { connections, duration: longestRun, timeout: 30, sampleInt: 20 };
  const run = autocannon({ ...shot, ...pace }, (error, result) => {
    if (error) throw error;
    process.send?.(summary(result.errors + result.timeouts + result.non2xx));
  });
  run.once('start', () => process.send?.({ started: true }));
  run.on('response', (_client: unknown, _status: number, _bytes: number, latency: number) => {
    if (counting) latencies.push(latency);
  });
  // A figure without a single latency would say nothing, so a very slow server gets the time for one.
  stop = () => void (latencies.length > 0 ? run.stop() : run.once('response', () => run.stop()));
}

/** The ids of each client in turn: no two clients share one, so a server gains nothing by keeping its last answer. */
function* distinctIds(): Generator<number[], never> {
  for (let first = 1; ; first += idsEach)
    yield Array.from({ length: idsEach }, (_, offset) => first + offset);
}

function summary(failed: number): LoadResult {
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { answered: sorted.length, p50: at(0.5), p99: at(0.99), failed };
}
