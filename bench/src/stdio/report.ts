import { conditionsOf, table, type Occasion } from '../report.ts';
import type { StdioFigure, StdioPlan, StdioRow } from './bench.ts';
import { stdioClients } from './clients.ts';

/** The report of the calls over stdio as Markdown. */
export function stdioReport(rows: readonly StdioRow[], plan: StdioPlan, occasion: Occasion): string {
  const says = plan.variants.map((name) => [name, stdioClients[name]?.says ?? '']);
  const of = (what: StdioRow['what']) => rows.filter((row) => row.what === what);
  return [
    '# A call over stdio beside the v2 client\n\nWritten by `npm run bench`; never edited by hand.',
    conditions(plan, occasion),
    `## Echo of the reference server\n\n${echoTable(of('echo'))}`,
    `## A result of ${plan.bytes / 2 ** 20} MiB on one line\n\n${bigTable(of('big'))}`,
    `## The clients\n\n${table(['client', 'what it is'], says)}`,
  ].join('\n\n');
}

function conditions({ rounds, echoes, bigs }: StdioPlan, occasion: Occasion): string {
  return `${conditionsOf(occasion)}
- Each client in its own process, with a peer of its own; the calls go one after the other. ${rounds} interleaved rounds after a warm-up, each of
  ${echoes} calls of \`echo\` of @modelcontextprotocol/server-everything and ${bigs} of a minimal peer of ours that answers one long text. Every answer
  was compared with the right one; a wrong one voids the run.
- Latency is over the calls of all rounds. CPU is the processor time (user and system) of the calling process a call, in the round that has the
  least; "worst" is the other end. "others" is the share of the machine that was not the caller's during that round: the peer, and foreign load.
- "×" and "added" compare with \`sdk2-client\`.`;
}

const base = 'sdk2-client';

function echoTable(rows: readonly StdioRow[]): string {
  const limit = rows.find(({ variant }) => variant === base);
  const [p50, p99] = [at(limit, 0.5), at(limit, 0.99)];
  const heads = ['client', 'p50 ms', 'added', 'p99 ms', 'added', 'CPU µs a call', '×', 'worst', 'others'];
  const lines = rows.map((row) => [
    row.variant,
    at(row, 0.5).toFixed(3),
    signed(at(row, 0.5) - p50),
    at(row, 0.99).toFixed(2),
    signed(at(row, 0.99) - p99),
    ...costs(row, limit, 1),
  ]);
  return table(heads, lines);
}

function bigTable(rows: readonly StdioRow[]): string {
  const limit = rows.find(({ variant }) => variant === base);
  const heads = ['client', 'wall p50 ms', '×', 'least wall ms', 'CPU ms a call', '×', 'worst', 'others'];
  const lines = rows.map((row) => [
    row.variant,
    at(row, 0.5).toFixed(0),
    (at(row, 0.5) / at(limit, 0.5)).toFixed(2),
    at(row, 0).toFixed(0),
    ...costs(row, limit, 1000),
  ]);
  return table(heads, lines);
}

/** Cells of the processor time, in so many microseconds a unit. */
function costs(row: StdioRow, limit: StdioRow | undefined, unit: number): string[] {
  const figure = best(row);
  if (!figure) return ['not measured'];
  return [
    (figure.cpu / unit).toFixed(1),
    (figure.cpu / (best(limit)?.cpu ?? Number.NaN)).toFixed(2),
    (Math.max(...row.figures.map(({ cpu }) => cpu)) / unit).toFixed(1),
    `${(figure.others * 100).toFixed(0)} %`,
  ];
}

/** The round with the least processor time. */
function best(row: StdioRow | undefined): StdioFigure | undefined {
  return row?.figures.toSorted((one, other) => one.cpu - other.cpu)[0];
}

/** The latency below which this share of the calls stays. */
function at(row: StdioRow | undefined, share: number): number {
  const sorted = (row?.figures.flatMap(({ latencies }) => latencies) ?? []).toSorted(
    (one, other) => one - other,
  );
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

const signed = (value: number) => `${value < 0 ? '' : '+'}${value.toFixed(3)}`;
