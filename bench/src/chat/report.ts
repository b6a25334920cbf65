import { median } from '../figures.ts';
import { conditionsOf, table, type Occasion } from '../report.ts';
import type { ChatExercise, ChatFigure, ChatFigures, ChatPlan, ChatRow } from './bench.ts';
import type { Memory } from './memory-probe.ts';
import { chatVariants } from './variants.ts';

/** What the first word may take from the provider through us to a reader, in milliseconds, and an idle turn in memory, in KB. */
export const goals = { firstDelayMs: 5, idleKb: 60 } as const;

/** The report of the chat as Markdown. */
export function chatReport({ rows, cuts }: ChatFigures, plan: ChatPlan, occasion: Occasion): string {
  const says = plan.variants.map((name) => [name, chatVariants[name]?.says ?? '']);
  return [
    '# A chat turn beside the AI SDK\n\nWritten by `npm run bench`; never edited by hand.',
    conditions(plan, occasion),
    ...plan.exercises.map((exercise) => exerciseTable(rows, exercise)),
    `## Idle turns\n\n${idleTable(rows)}`,
    `## Streams that are cut\n\n${cutsTable(cuts)}`,
    `## The variants\n\n${table(['variant', 'what it is'], says)}`,
  ].join('\n\n');
}

function conditions({ rounds, tokens, paceMs }: ChatPlan, occasion: Occasion): string {
  return `${conditionsOf(occasion)}
- The provider is a fake in a process of its own: Chat Completions, ${tokens} tokens a turn, one every ${paceMs} ms. The readers share another
  process. Every text of every turn was compared with the model's; one that is not whole voids the run. ${rounds} interleaved rounds.
- Idle turns are opened first: each has its first word and waits for the provider, which is let go at the end. The readers of the streaming ones
  begin spread over the time of one turn, and read one turn after the other. All processes, the database among them, share the machine.
- Each word carries the time at which the provider wrote it, on the one clock of the machine. "First word" is the median time from there to the
  reader for the first word of a turn, over all rounds and all but the first turn of each reader; "above the provider" is what that is above reading
  the provider directly (the goal is ${goals.firstDelayMs} ms). "Any word" is the same for all words: they may wait to be written together.
  "First text" is from the request to the first word.
- CPU is the processor time (user and system) of the whole server process, a token of the provider, in the round that has the least; "worst" is the
  other end. An event may carry several tokens. The database is all processes of PostgreSQL in the same round. "foreign" is the share
  of the machine that others took during that round. "×" compares the CPU of the server process with \`ai-sdk\`, which stores nothing.`;
}

const heads = [
  'variant',
  'first word p50 ms',
  'above the provider',
  'p95 ms',
  'any word p50 ms',
  'p99 ms',
  'first text p50 ms',
  'CPU µs a token',
  '×',
  'worst',
  'CPU µs an event',
  'database CPU µs a token',
  'foreign',
];

function exerciseTable(rows: readonly ChatRow[], exercise: ChatExercise): string {
  const asked = rows.filter((row) => row.exercise === exercise);
  const found = (name: string) => asked.find(({ variant }) => variant === name);
  const direct = median(firstDelays(found('provider')));
  const peer = best(found('ai-sdk'))?.cpu ?? Number.NaN;
  return `## ${titleOf(exercise)}\n\n${table(
    heads,
    asked.map((row) => line(row, direct, peer)),
  )}`;
}

function titleOf({ open, streaming }: ChatExercise): string {
  if (open === 1) return 'One open turn';
  return open === streaming ? `${open} open turns` : `${open} open turns of which ${streaming} stream`;
}

function line(row: ChatRow, direct: number, peer: number): string[] {
  const figure = best(row);
  if (!figure) return [row.variant, 'not measured'];
  const events = sum(figure.turns.map((turn) => turn.events));
  const tokens = sum(figure.turns.map((turn) => turn.text.split(' ').length));
  const firsts = firstDelays(row);
  const delays = row.figures.flatMap(({ turns }) => turns.flatMap((turn) => turn.delays));
  const texts = amidst(row).map(({ first }) => first);
  return [
    row.variant,
    median(firsts).toFixed(1),
    (median(firsts) - direct).toFixed(1),
    quantile(firsts, 0.95).toFixed(1),
    median(delays).toFixed(1),
    quantile(delays, 0.99).toFixed(1),
    median(texts).toFixed(1),
    figure.cpu.toFixed(1),
    (figure.cpu / peer).toFixed(2),
    Math.max(...row.figures.map(({ cpu }) => cpu)).toFixed(1),
    ((figure.cpu * tokens) / events).toFixed(1),
    figure.databaseCpu?.toFixed(1) ?? '',
    `${(figure.foreign * 100).toFixed(0)} %`,
  ];
}

/** What an open turn that waits costs in memory, its connections to reader and provider among it. */
function idleTable(rows: readonly ChatRow[]): string {
  const lines = rows.flatMap(({ variant, exercise, figures }) => {
    const count = String(exercise.open - exercise.streaming);
    const turns = leastOf(figures.flatMap(({ idle }) => (idle ? [idle] : [])));
    const readers = leastOf(figures.flatMap(({ reader }) => (reader ? [reader] : [])));
    return [
      ...turns.map((kb) => [
        variant,
        `${count} turns, each with its model's connection and its reader`,
        ...kb,
      ]),
      ...readers.map((kb) => [variant, `${count} further readers of one such turn`, ...kb]),
    ];
  });
  const heading = [
    'variant',
    'open and idle',
    `held KB each (goal ${goals.idleKb})`,
    'growth of the process KB each',
  ];
  return `"Held" is what is on the heap and beside it once all garbage is collected, above what it was before the turns were opened.\n\n${table(heading, lines)}`;
}

/** Kilobytes in the round that needed the least: held, and by which the process grew. */
function leastOf(known: readonly Memory[]): string[][] {
  if (known.length === 0) return [];
  const least = (of: (memory: Memory) => number) => (Math.min(...known.map(of)) / 1024).toFixed(1);
  return [[least(({ held }) => held), least(({ resident }) => resident)]];
}

function cutsTable(all: ChatFigures['cuts']): string {
  const lines = all.map(({ variant, cuts: { cuts, lost, doubled, joined } }) => [
    variant,
    String(cuts),
    String(lost),
    String(doubled),
    median(joined).toFixed(1),
    quantile(joined, 0.99).toFixed(1),
  ]);
  const heading = [
    'variant',
    'random cuts',
    'events lost',
    'events doubled',
    'joined again p50 ms',
    'p99 ms',
  ];
  return table(heading, lines);
}

/** The round with the least processor time a token. */
function best(row: ChatRow | undefined): ChatFigure | undefined {
  return row?.figures.toSorted((one, other) => one.cpu - other.cpu)[0];
}

function amidst(row: ChatRow | undefined) {
  const turns = row?.figures.flatMap((figure) => figure.turns) ?? [];
  return turns.filter((turn) => turn.amidst);
}

function firstDelays(row: ChatRow | undefined): number[] {
  return amidst(row).map(({ firstDelay }) => firstDelay);
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
