import { startChild, type Child } from '../child.ts';
import { familyCpu, machineCpu, processCpu, processors, threadsCpu } from '../machine.ts';
import { answerOf, type Pace } from './conversation.ts';
import type { Cuts } from './cuts.ts';
import type { Memory } from './memory-probe.ts';
import type { ProviderReady } from './provider-process.ts';
import type { CountedTurn, ReadOrder, ReadResult } from './reader-process.ts';
import { chatVariants, type ChatServer, type Provider } from './variants.ts';

/** So many turns open at a time, of which so many stream, and how many turns each of their readers reads. */
export interface ChatExercise {
  readonly open: number;
  readonly streaming: number;
  readonly turnsEach: number;
}

/** What to run. */
export interface ChatPlan extends Pace {
  /** Names of variants, in the order of the report. */
  readonly variants: readonly string[];
  readonly rounds: number;
  readonly exercises: readonly ChatExercise[];
  /** Turns whose streams are cut, and how often each: only of variants that can be joined again. */
  readonly cuts: { readonly turns: number; readonly each: number };
}

/** What one round of an exercise gave. */
export interface ChatFigure {
  readonly turns: readonly CountedTurn[];
  /** Microseconds of processor time of the server a token of the provider. */
  readonly cpu: number;
  /** The same of all processes of its database. */
  readonly databaseCpu: number | undefined;
  /** Bytes that the server holds a turn that is open and idle. */
  readonly idle: Memory | undefined;
  /** Bytes that it holds a further reader of such a turn. */
  readonly reader: Memory | undefined;
  /** Share of all processors that others used meanwhile, 0 to 1. */
  readonly foreign: number;
}

/** One row of the report. */
export interface ChatRow {
  readonly variant: string;
  readonly exercise: ChatExercise;
  readonly figures: ChatFigure[];
}

/** All that was measured. */
export interface ChatFigures {
  readonly rows: readonly ChatRow[];
  readonly cuts: readonly { readonly variant: string; readonly cuts: Cuts }[];
}

/** Before anything is counted: shows that the text of each is whole, and lets node compile. */
const warmUp: ChatExercise = { open: 10, streaming: 10, turnsEach: 1 };

/** Milliseconds that anything may take here. */
const LONGEST = 600_000;

interface Running extends ChatServer {
  readonly variant: string;
}

/** Runs the plan, the rounds interleaved. Throws when a turn fails or its text is not whole: there are no figures then. */
export async function benchChat(plan: ChatPlan, say: (line: string) => void): Promise<ChatFigures> {
  const provider = startChild('chat/provider-process', [String(plan.tokens), String(plan.paceMs)]);
  const reader = startChild('chat/reader-process');
  const servers: Running[] = [];
  try {
    const { baseURL } = await provider.next<ProviderReady>(60_000);
    for (const variant of plan.variants)
      servers.push({ variant, ...(await start(variant, { pid: provider.pid, baseURL })) });
    const around = { provider, reader, plan };
    for (const server of servers) await measure(server, warmUp, around);
    return { rows: await runRounds(servers, around, say), cuts: await cutAll(servers, around) };
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

async function measure(server: ChatServer, exercise: ChatExercise, around: Around): Promise<ChatFigure> {
  const { provider, reader, plan } = around;
  const { streaming, turnsEach } = exercise;
  const { request } = server;
  const idle = exercise.open - streaming;
  const bare = await server.memory?.();
  if (idle > 0) await ordered(around, { does: 'open', request, idle });
  const open = await server.memory?.();
  const isJoined = idle > 0 && request.dialect === 'sveda';
  if (isJoined) await ordered(around, { does: 'join', request, readers: idle });
  const joined = await server.memory?.();
  const ours = [server.pid, provider.pid, reader.pid, process.pid];
  const before = sample(server, ours);
  const spread = plan.tokens * plan.paceMs;
  const turns = await ordered(around, { does: 'read', request, streaming, turnsEach, spread });
  const after = sample(server, ours);
  provider.send('let go');
  await ordered(around, { does: 'finish' });
  return {
    ...figureOf(turns, turns.length * plan.tokens, before, after),
    idle: idle > 0 && bare && open ? perOne(bare, open, idle) : undefined,
    reader: isJoined && open && joined ? perOne(open, joined, idle) : undefined,
  };
}

/** Gives the readers an order. Rejects when they failed, or when a text is not the model's. */
async function ordered({ reader, plan }: Around, order: ReadOrder): Promise<readonly CountedTurn[]> {
  reader.send(order);
  const result = await reader.next<ReadResult>(LONGEST);
  if ('failure' in result) throw new Error(result.failure);
  const turns = 'turns' in result ? result.turns : [];
  const broken = turns.find(({ text }) => text !== answerOf(plan));
  if (broken) throw new Error(`another text than the model's: ${broken.text.slice(0, 300)}`);
  return turns;
}

async function cutAll(servers: readonly Running[], { reader, plan }: Around) {
  const all: { variant: string; cuts: Cuts }[] = [];
  for (const { variant, request } of servers.filter((server) => server.request.dialect === 'sveda')) {
    const { turns, each: cutsEach } = plan.cuts;
    // Slower than the words come, a turn would be over before it is cut often enough.
    const paceMs = (plan.paceMs * plan.tokens) / cutsEach / 4;
    reader.send({ does: 'cut', request, turns, cutsEach, paceMs } satisfies ReadOrder);
    const result = await reader.next<ReadResult>(LONGEST);
    if (!('cuts' in result)) throw new Error('failure' in result ? result.failure : 'no cuts');
    if (result.cuts.texts.some((text) => text !== answerOf(plan))) throw new Error('a cut text is not whole');
    all.push({ variant, cuts: result.cuts });
  }
  return all;
}

function perOne(bare: Memory, open: Memory, count: number): Memory {
  return { held: (open.held - bare.held) / count, resident: (open.resident - bare.resident) / count };
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

function figureOf(turns: readonly CountedTurn[], tokens: number, before: Sample, after: Sample) {
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
