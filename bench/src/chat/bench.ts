import { startChild, type Child } from '../child.ts';
import { familyCpu, machineCpu, processCpu, processors, threadsCpu } from '../machine.ts';
import { answerOf, type Pace } from './conversation.ts';
import type { ProviderReady } from './provider-process.ts';
import type { CountedTurn, ReadOrder, ReadResult } from './reader-process.ts';
import { chatVariants, type ChatServer, type Provider } from './variants.ts';

/** So many readers at a time, and how many turns each of them reads. */
export type ChatExercise = Pick<ReadOrder, 'open' | 'turnsEach'>;

/** What to run. */
export interface ChatPlan extends Pace {
  /** Names of variants, in the order of the report. */
  readonly variants: readonly string[];
  readonly rounds: number;
  readonly exercises: readonly ChatExercise[];
}

/** What one round of an exercise gave. */
export interface ChatFigure {
  readonly turns: readonly CountedTurn[];
  /** Microseconds of processor time of the server a token of the provider. */
  readonly cpu: number;
  /** The same of all processes of its database. */
  readonly databaseCpu: number | undefined;
  /** Share of all processors that others used meanwhile, 0 to 1. */
  readonly foreign: number;
}

/** One row of the report. */
export interface ChatRow {
  readonly variant: string;
  readonly exercise: ChatExercise;
  readonly figures: ChatFigure[];
}

/** Before anything is counted: shows that the text of each is whole, and lets node compile. */
const warmUp: ChatExercise = { open: 10, turnsEach: 1 };

interface Running extends ChatServer {
  readonly variant: string;
}

/** Runs the plan, the rounds interleaved. Throws when a turn fails or its text is not whole: there are no figures then. */
export async function benchChat(plan: ChatPlan, say: (line: string) => void): Promise<ChatRow[]> {
  const provider = startChild('chat/provider-process', [String(plan.tokens), String(plan.paceMs)]);
  const reader = startChild('chat/reader-process');
  const servers: Running[] = [];
  try {
    const { baseURL } = await provider.next<ProviderReady>(60_000);
    for (const variant of plan.variants)
      servers.push({ variant, ...(await start(variant, { pid: provider.pid, baseURL })) });
    const around = { provider, reader, plan };
    for (const server of servers) await measure(server, warmUp, around);
    return await runRounds(servers, around, say);
  } finally {
    await Promise.all([...servers, provider, reader].map((one) => one.end()));
  }
}

function start(name: string, provider: Provider): Promise<ChatServer> {
  const variant = chatVariants[name];
  if (!variant) throw new Error(`no variant ${name}`);
  return variant.start(provider);
}

interface Around {
  readonly provider: Child;
  readonly reader: Child;
  readonly plan: ChatPlan;
}

/** Every second round goes backwards, so that a slow drift of the machine favours nobody. */
async function runRounds(servers: readonly Running[], around: Around, say: (line: string) => void) {
  const { rounds, exercises } = around.plan;
  const cells = exercises.flatMap((exercise) =>
    servers.map((server) => ({ server, row: { variant: server.variant, exercise, figures: [] } as ChatRow })),
  );
  for (let round = 1; round <= rounds; round++) {
    for (const { server, row } of round % 2 ? cells : cells.toReversed()) {
      const figure = await measure(server, row.exercise, around);
      row.figures.push(figure);
      say(
        `${round}/${rounds} ${row.variant}, ${row.exercise.open} open: ${figure.cpu.toFixed(1)} µs a token`,
      );
    }
  }
  return cells.map(({ row }) => row);
}

async function measure(server: ChatServer, exercise: ChatExercise, { provider, reader, plan }: Around) {
  const ours = [server.pid, provider.pid, reader.pid, process.pid];
  const before = sample(server, ours);
  const spread = plan.tokens * plan.paceMs;
  reader.send({ request: server.request, spread, ...exercise } satisfies ReadOrder);
  const result = await reader.next<ReadResult>(600_000);
  const after = sample(server, ours);
  if ('failure' in result) throw new Error(result.failure);
  const text = answerOf(plan);
  const broken = result.turns.find((turn) => turn.text !== text);
  if (broken) throw new Error(`another text than the model's: ${broken.text.slice(0, 300)}`);
  return figureOf(result.turns, result.turns.length * plan.tokens, before, after);
}

/** Microseconds, but for the milliseconds of `at`. */
interface Sample {
  readonly cpu: number;
  readonly database: number | undefined;
  readonly others: number;
  readonly at: number;
}

function sample({ pid, database: postmaster }: ChatServer, ours: readonly number[]): Sample {
  const database = postmaster === undefined ? undefined : familyCpu(postmaster);
  const known = [...new Set(ours)].reduce((sum, one) => sum + processCpu(one), database ?? 0);
  return { cpu: threadsCpu(pid), database, others: machineCpu() - known, at: performance.now() };
}

function figureOf(turns: readonly CountedTurn[], tokens: number, before: Sample, after: Sample): ChatFigure {
  const took = (after.at - before.at) * 1000 * processors;
  const database =
    after.database === undefined ? undefined : (after.database - (before.database ?? 0)) / tokens;
  return {
    turns,
    cpu: (after.cpu - before.cpu) / tokens,
    databaseCpu: database,
    foreign: Math.min(1, Math.max(0, (after.others - before.others) / took)),
  };
}
