import { median } from '../figures.ts';
import { conditionsOf, table, type Occasion } from '../report.ts';
import type { ChatExercise, ChatFigure, ChatPlan, ChatRow } from './bench.ts';
import { chatVariants } from './variants.ts';

/** The report of the chat as Markdown. */
export function chatReport(rows: readonly ChatRow[], plan: ChatPlan, occasion: Occasion): string {
  const says = plan.variants.map((name) => [name, chatVariants[name]?.says ?? '']);
  return [
    '# A chat turn beside the AI SDK\n\nWritten by `npm run bench`; never edited by hand.',
    conditions(plan, occasion),
    ...plan.exercises.map((exercise) => exerciseTable(rows, exercise)),
    `## The variants\n\n${table(['variant', 'what it is'], says)}`,
  ].join('\n\n');
}

function conditions({ rounds, tokens, paceMs }: ChatPlan, occasion: Occasion): string {
  return `${conditionsOf(occasion)}
- The provider is a fake in a process of its own: Chat Completions, ${tokens} tokens a turn, one every ${paceMs} ms. The readers share another
  process. Every text of every turn was compared with the model's; one that is not whole voids the run. ${rounds} interleaved rounds.
- The readers begin spread over the time of one turn, and read one turn after the other. All processes, the database among them, share the machine.
- "First text" is the median, over all rounds and all but the first turn of each reader, of the time from the request to the first byte of the answer's text, as the reader sees it;
  "over the provider" is what that is above asking the provider directly.
- CPU is the processor time (user and system) of the whole server process, a token of the provider, in the round that has the least; "worst" is the
  other end. An event may carry several tokens. The database is all processes of PostgreSQL in the same round. "foreign" is the share
  of the machine that others took during that round. "×" compares the CPU of the server process with \`ai-sdk\`, which stores nothing.`;
}

const heads = [
  'variant',
  'first text p50 ms',
  'over the provider ms',
  'CPU µs a token',
  '×',
  'worst',
  'CPU µs an event',
  'events a turn',
  'database CPU µs a token',
  'turn p50 ms',
  'foreign',
];

function exerciseTable(rows: readonly ChatRow[], exercise: ChatExercise): string {
  const asked = rows.filter((row) => row.exercise === exercise);
  const found = (name: string) => asked.find(({ variant }) => variant === name);
  const direct = firstText(found('provider'));
  const peer = best(found('ai-sdk'))?.cpu ?? Number.NaN;
  const title = exercise.open === 1 ? 'One open turn' : `${exercise.open} open turns`;
  return `## ${title}\n\n${table(
    heads,
    asked.map((row) => line(row, direct, peer)),
  )}`;
}

function line(row: ChatRow, direct: number, peer: number): string[] {
  const figure = best(row);
  if (!figure) return [row.variant, 'not measured'];
  const events = sum(figure.turns.map((turn) => turn.events));
  const tokens = sum(figure.turns.map((turn) => turn.text.split(' ').length));
  const first = firstText(row);
  return [
    row.variant,
    first.toFixed(1),
    (first - direct).toFixed(1),
    figure.cpu.toFixed(1),
    (figure.cpu / peer).toFixed(2),
    Math.max(...row.figures.map(({ cpu }) => cpu)).toFixed(1),
    ((figure.cpu * tokens) / events).toFixed(1),
    (events / figure.turns.length).toFixed(0),
    figure.databaseCpu?.toFixed(1) ?? '',
    median(row.figures.flatMap(({ turns }) => turns.map(({ whole }) => whole))).toFixed(0),
    `${(figure.foreign * 100).toFixed(0)} %`,
  ];
}

/** The round with the least processor time a token. */
function best(row: ChatRow | undefined): ChatFigure | undefined {
  return row?.figures.toSorted((one, other) => one.cpu - other.cpu)[0];
}

function firstText(row: ChatRow | undefined): number {
  const turns = row?.figures.flatMap((figure) => figure.turns) ?? [];
  return median(turns.filter(({ amidst }) => amidst).map(({ first }) => first));
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
