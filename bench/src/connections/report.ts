import { loadavg } from 'node:os';
import { median } from '../figures.ts';
import { conditionsOf, table, type Occasion } from '../report.ts';
import type { CallsRow, ConnectionsFigures, ConnectionsPlan, HolderRow } from './bench.ts';
import { ways, type TransportName } from './ways.ts';

/** The report of the connections as Markdown. */
export function connectionsReport(
  { calls, holders }: ConnectionsFigures,
  plan: ConnectionsPlan,
  occasion: Occasion,
): string {
  const says = plan.variants.map((name) => [name, ways[name]?.says ?? '']);
  const over = (transport: TransportName) => calls.filter((row) => row.over === transport);
  return [
    '# A call through a connection beside others\n\nWritten by `npm run bench`; never edited by hand.',
    conditions(plan, occasion),
    `## Echo of the reference server over stdio\n\n${callsTable(over('stdio'))}`,
    `## Echo of the reference server over Streamable HTTP\n\n${callsTable(over('http'))}`,
    `## ${plan.crowd} servers started at once\n\n${crowdTable(holders)}`,
    `## ${plan.startStops} rounds of start, call and stop\n\n${roundsTable(holders)}`,
    `## The ways\n\n${table(['way', 'what it is'], says)}`,
  ].join('\n\n');
}

function conditions(plan: ConnectionsPlan, occasion: Occasion): string {
  const { rounds, calls, turn, crowd } = plan;
  return `${conditionsOf(occasion)}
- Load of the machine at the end (one, five, fifteen minutes): ${loadavg()
    .map((one) => one.toFixed(1))
    .join(', ')}.
- Calls: each way in its own process, with a server of its own; one call after the other, ${rounds * calls} calls after a warm-up, in turns of
  ${turn} from way to way. Every answer was compared with the right one; a wrong one voids the run. "added" compares with \`sdk2-client\`.
- At once: ${crowd} servers on stdio, the four reference servers in turn, from the order to the last tool list; beside the slowest of the four
  alone. Medians of ${rounds} processes, each new.
- Rounds: the server \`memory\` on stdio, in one process; sizes after a collection of garbage.`;
}

const base = 'sdk2-client';

function callsTable(rows: readonly CallsRow[]): string {
  const limit = rows.find(({ variant }) => variant === base);
  const lines = rows.map((row) => [
    row.variant,
    ...[0.5, 0.99].flatMap((share) => {
      const value = at(row, share);
      const added = value - at(limit, share);
      return [value.toFixed(3), `${added < 0 ? '' : '+'}${added.toFixed(3)}`];
    }),
  ]);
  return table(['way', 'p50 ms', 'added', 'p99 ms', 'added'], lines);
}

/** The latency below which this share of the calls stays. */
function at(row: CallsRow | undefined, share: number): number {
  const sorted = (row?.latencies ?? []).toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function crowdTable(rows: readonly HolderRow[]): string {
  const lines = rows.map(({ variant, crowds }) => {
    const of = (what: 'alone' | 'together' | 'stop') => median(crowds.map((crowd) => crowd[what]));
    const [alone, together] = [of('alone'), of('together')];
    return [variant, ms(alone), ms(together), (together / alone).toFixed(1), ms(of('stop'))];
  });
  return table(['holder', 'slowest alone, ms', 'all ready, ms', '×', 'all stopped, ms'], lines);
}

const ms = (value: number) => value.toFixed(0);
const mib = (value: number) => (value / 2 ** 20).toFixed(1);

function roundsTable(rows: readonly HolderRow[]): string {
  const lines = rows.flatMap(({ variant, rounds }) =>
    rounds.map((one) => [variant, `${one.rounds}`, mib(one.rss), mib(one.heap), `${one.files}`]),
  );
  return table(['holder', 'after rounds', 'resident MiB', 'heap MiB', 'open files'], lines);
}
