import { setTimeout as wait } from 'node:timers/promises';
import { startChild, type Child } from '../child.ts';
import { machineCpu, processCpu, processors } from '../machine.ts';
import type { CallOrder, CallResult, Calls } from './caller-process.ts';

/** What to run. */
export interface StdioPlan {
  /** Names of clients, in the order of the report. */
  readonly variants: readonly string[];
  readonly rounds: number;
  /** Calls of echo in a round. */
  readonly echoes: number;
  /** Calls with a big result in a round. */
  readonly bigs: number;
  /** Length of the big text. */
  readonly bytes: number;
}

/** What one round of calls gave. */
export interface StdioFigure extends Calls {
  /** Share of all processors that neither the caller nor we used meanwhile, 0 to 1: the peer's work, too. */
  readonly others: number;
}

/** One row of the report. */
export interface StdioRow {
  readonly variant: string;
  readonly what: CallOrder['what'];
  readonly figures: StdioFigure[];
}

/** Runs the plan, the rounds interleaved. Throws when a call fails or answers anything else: there are no figures then. */
export async function benchStdio(plan: StdioPlan, say: (line: string) => void): Promise<StdioRow[]> {
  const callers = plan.variants.map((variant) => ({
    variant,
    child: startChild('stdio/caller-process', [variant, String(plan.bytes)]),
  }));
  try {
    for (const { child } of callers) await child.next(60_000);
    const orders = [
      { what: 'echo', calls: plan.echoes },
      { what: 'big', calls: plan.bigs },
    ] as const;
    const cells = orders.flatMap((order) =>
      callers.map(({ variant, child }) => ({
        child,
        order,
        row: { variant, what: order.what, figures: [] } as StdioRow,
      })),
    );
    for (const { child, order } of cells)
      await measure(child, { ...order, calls: Math.min(order.calls, 100) });
    for (let round = 1; round <= plan.rounds; round++) {
      for (const { child, order, row } of round % 2 ? cells : cells.toReversed()) {
        const figure = await measure(child, order);
        row.figures.push(figure);
        say(`${round}/${plan.rounds} ${row.variant}, ${row.what}: ${figure.cpu.toFixed(0)} µs a call`);
      }
    }
    return cells.map(({ row }) => row);
  } finally {
    await Promise.all(callers.map(({ child }) => close(child)));
  }
}

async function measure(child: Child, order: CallOrder): Promise<StdioFigure> {
  const before = sample(child);
  child.send(order);
  const result = await child.next<CallResult>(600_000);
  const after = sample(child);
  if ('failure' in result) throw new Error(result.failure);
  const took = (after.at - before.at) * 1000 * processors;
  return { ...result, others: Math.min(1, Math.max(0, (after.others - before.others) / took)) };
}

function sample({ pid }: Child) {
  const ours = processCpu(pid) + processCpu(process.pid);
  return { others: machineCpu() - ours, at: performance.now() };
}

/** Its peers first: they belong to the caller, not to us. */
async function close(child: Child): Promise<void> {
  child.send('close');
  await Promise.race([child.next(20_000).catch(() => undefined), wait(20_000, undefined, { ref: false })]);
  await child.end();
}
