import { startChild, type Child } from '../child.ts';
import type { CallOrder, CallResult } from './caller-process.ts';
import type { CrowdResult, HoldOrder, RoundsResult } from './holder-process.ts';
import type { holders } from './holders.ts';
import { transports, ways, type TransportName } from './ways.ts';

/** What to run. */
export interface ConnectionsPlan {
  /** Names of ways, in the order of the report. */
  readonly variants: readonly string[];
  readonly rounds: number;
  /** Calls of echo in a round, and how many of them one way makes before the next has its turn. */
  readonly calls: number;
  readonly turn: number;
  /** Servers that start at once. */
  readonly crowd: number;
  /** Rounds of start, call and stop. */
  readonly startStops: number;
}

/** Calls by one way to a server over one transport. */
export interface CallsRow {
  readonly variant: string;
  readonly over: TransportName;
  /** Milliseconds of each call, round by round. */
  readonly latencies: number[];
}

/** What one holder of servers did. */
export interface HolderRow {
  readonly variant: keyof typeof holders;
  readonly crowds: CrowdResult[];
  readonly rounds: readonly RoundsResult[];
}

/** Everything that the report shows. */
export interface ConnectionsFigures {
  readonly calls: readonly CallsRow[];
  readonly holders: readonly HolderRow[];
}

/** Runs the plan. Throws when a call fails or answers anything else: there are no figures then. */
export async function benchConnections(
  plan: ConnectionsPlan,
  say: (line: string) => void,
): Promise<ConnectionsFigures> {
  return { calls: await benchCalls(plan, say), holders: await benchHolders(plan, say) };
}

/** The ways take turns, so that a busy moment of the machine meets all of them. */
async function benchCalls(
  { variants, rounds, calls, turn }: ConnectionsPlan,
  say: (line: string) => void,
): Promise<CallsRow[]> {
  const cells = transports.flatMap((over) =>
    variants
      .filter((variant) => ways[variant]?.[over])
      .map((variant) => ({
        row: { variant, over, latencies: [] } as CallsRow,
        child: startChild('connections/caller-process', [variant, over]),
      })),
  );
  try {
    for (const { child } of cells) await child.next(120_000);
    for (const { child } of cells) await measure(child, { calls: Math.min(calls, 50) });
    for (let round = 1; round <= rounds; round++) {
      for (let made = 0; made < calls; made += turn) {
        for (const { child, row } of (made / turn) % 2 ? cells.toReversed() : cells)
          row.latencies.push(...(await measure(child, { calls: Math.min(turn, calls - made) })));
      }
      say(`${round}/${rounds} calls`);
    }
    return cells.map(({ row }) => row);
  } finally {
    await Promise.all(cells.map(({ child }) => close(child)));
  }
}

async function measure(child: Child, order: CallOrder): Promise<readonly number[]> {
  child.send(order);
  const result = await child.next<CallResult>(600_000);
  if ('failure' in result) throw new Error(result.failure);
  return result.latencies;
}

/** Its servers first: they belong to the caller, not to us. */
async function close(child: Child): Promise<void> {
  child.send('close');
  await child.next(30_000).catch(() => undefined);
  await child.end();
}

async function benchHolders(
  { variants, rounds, crowd, startStops }: ConnectionsPlan,
  say: (line: string) => void,
): Promise<HolderRow[]> {
  const names = (['sdk2-client', 'saivage'] as const).filter((name) => variants.includes(name));
  const rows: HolderRow[] = [];
  for (const variant of names) {
    const crowds: CrowdResult[] = [];
    for (let round = 1; round <= rounds; round++) {
      crowds.push(await inProcess<CrowdResult>(variant, { crowd }));
      say(`${round}/${rounds} ${variant}, ${crowd} at once`);
    }
    rows.push({ variant, crowds, rounds: await inProcess<RoundsResult[]>(variant, { rounds: startStops }) });
    say(`${variant}, ${startStops} rounds`);
  }
  return rows;
}

/** Lets a holder do one thing in a process of its own. */
async function inProcess<Result extends object>(variant: string, order: HoldOrder): Promise<Result> {
  const child = startChild('connections/holder-process', [variant]);
  try {
    await child.next(60_000);
    child.send(order);
    const result = await child.next<Result | { readonly failure: string }>(1_800_000);
    if ('failure' in result) throw new Error(result.failure);
    return result;
  } finally {
    await child.end();
  }
}
