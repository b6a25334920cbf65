import type { Plan, Row } from './bench.ts';
import { eras, exercises, type Era, type Exercise } from './exercise.ts';
import { best, gaps, limitOf, measured, median, rowOf, type Gap } from './figures.ts';

/** What the report says about the run besides its figures. */
export interface Occasion {
  /** ISO 8601. */
  readonly date: string;
  /** Class of machine: cores and memory. */
  readonly machine: string;
  readonly node: string;
  /** Exact versions of what was measured, by package. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Processor microseconds a request that our serving may cost above raw node:http. */
export const allowance = 80;

/** The whole report as Markdown. */
export function report(rows: readonly Row[], plan: Plan, occasion: Occasion): string {
  const tables = exercises.flatMap((exercise) => eras.map((era) => exerciseTable(rows, exercise, era)));
  return [
    '# Serving cost beside peers\n\nWritten by `npm run bench`; never edited by hand.',
    conditions(plan, occasion),
    `## Above raw node:http\n\n${gateTable(rows)}`,
    ...tables,
    `## The variants\n\n${variantTable(rows)}`,
  ].join('\n\n');
}

/** When, where and with which versions: the first two conditions of every report. */
export function conditionsOf({ date, machine, node, versions }: Occasion): string {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `- ${date}, Node ${node}, ${machine}, Linux, loopback.
- ${named.join(' · ')}`;
}

function conditions({ rounds, effort }: Plan, occasion: Occasion): string {
  const { connections, warmUp, window } = effort;
  return `${conditionsOf(occasion)}
- Each server in its own process, the load (autocannon, ${connections} connections) in another. ${rounds} interleaved rounds, each
  ${warmUp} s of warm-up and a window of ${window} s. Every server had to give the right answer first; a failed request voids its round.
- No two clients share a request id, so nobody gains by keeping the last answer.
- CPU is the processor time of the whole server process a request (user and system), which a busy machine disturbs less than requests a second.
  A row is the least disturbed round: the one with the least CPU; "worst" is the other end. "foreign" is the share of the machine that
  others took during that round. Latency is what the 32 clients saw, each with one request under way.
- "×" compares CPU with the limit of the table: \`raw\` for calls, \`raw-preserialised\` for lists.`;
}

/** The gate: what our serving costs above the limit, an exercise and era a line. */
export function gateTable(rows: readonly Row[]): string {
  const ours = [...new Set(rows.map(({ variant }) => variant))].filter((name) => name.startsWith('portolan'));
  const lines = ours.flatMap((name) => gaps(rows, name)).map(gateLine);
  return table(
    ['variant', 'exercise', 'era', 'limit', 'ours', 'above, µs', 'median of the rounds', `≤ ${allowance} µs`],
    lines,
  );
}

function gateLine({ variant, exercise, era, limit, ours, differences }: Gap): string[] {
  const above = ours - limit;
  return [
    variant,
    exercise.title,
    era,
    limit.toFixed(1),
    ours.toFixed(1),
    above.toFixed(1),
    median(differences).toFixed(1),
    above <= allowance ? 'yes' : 'no',
  ];
}

function exerciseTable(rows: readonly Row[], exercise: Exercise, era: Era): string {
  const limitRow = rowOf(rows, limitOf(exercise), exercise, era);
  const limit = limitRow && best(limitRow)?.cpu;
  const asked = rows.filter((row) => row.exercise === exercise && row.era === era);
  const heads = [
    'variant',
    'req/s',
    'p50 ms',
    'p99 ms',
    'CPU µs',
    '×',
    'worst CPU µs',
    'foreign',
    'answer bytes',
  ];
  const lines = asked.map((row) => exerciseLine(row, limit ?? Number.NaN));
  return `## ${exercise.title}, ${era}\n\n${table(heads, lines)}`;
}

function exerciseLine(row: Row, limit: number): string[] {
  const figure = best(row);
  if (!figure) return [row.variant, `void: ${row.faults.at(-1) ?? 'not measured'}`];
  const rounds = measured(row);
  const worst = Math.max(...rounds.map(({ cpu }) => cpu));
  const lost = row.figures.length - rounds.length;
  return [
    lost === 0 ? row.variant : `${row.variant} (${lost} of ${row.figures.length} rounds void)`,
    figure.perSecond.toFixed(0),
    figure.p50.toFixed(1),
    figure.p99.toFixed(1),
    figure.cpu.toFixed(1),
    (figure.cpu / limit).toFixed(1),
    worst.toFixed(1),
    `${(figure.foreign * 100).toFixed(0)} %`,
    `${row.answer?.bytes ?? ''}`,
  ];
}

function variantTable(rows: readonly Row[]): string {
  const says = new Map(rows.map((row) => [row.variant, row.says]));
  return table(['variant', 'what it is'], [...says]);
}

/** A table as Markdown. */
export function table(heads: readonly string[], lines: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(heads), line(heads.map(() => '---')), ...lines.map(line)].join('\n');
}
