import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { ChatRequest } from './conversation.ts';
import { cutTurns, type Cuts } from './cuts.ts';
import { readTurn, type ReadTurn, type TurnEvent } from './read-turn.ts';

/** What the readers are to do; each order is answered once. */
export type ReadOrder =
  | {
      /** Opens so many idle turns; answered when each has its first word. They are read on until they end. */
      readonly does: 'open';
      readonly request: ChatRequest;
      readonly idle: number;
    }
  | {
      /** Joins an idle turn with so many further readers; answered when each has what was said. Only where turns can be joined. */
      readonly does: 'join';
      readonly request: ChatRequest;
      readonly readers: number;
    }
  | {
      /** So many readers, each of whom reads so many turns, one after the other. */
      readonly does: 'read';
      readonly request: ChatRequest;
      readonly streaming: number;
      readonly turnsEach: number;
      /** Milliseconds over which the readers begin, evenly: visitors do not come all at once. */
      readonly spread: number;
    }
  /** Answered when all idle turns have come to their end. */
  | { readonly does: 'finish' }
  | {
      readonly does: 'cut';
      readonly request: ChatRequest;
      readonly turns: number;
      readonly cutsEach: number;
      readonly paceMs: number;
    };

/** A turn, and whether it began with all others open: not the first one of its reader. */
export interface CountedTurn extends ReadTurn {
  readonly amidst: boolean;
}

/** The turns that were read to their end, or what came of the cuts. Or something could not be read. */
export type ReadResult =
  { readonly turns: readonly CountedTurn[] } | { readonly cuts: Cuts } | { readonly failure: string };

const agent = new Agent({ keepAlive: true });

/** Idle turns that are opened at once: visitors come one after the other. */
const OPENING = 16;
let idle: Promise<ReadTurn>[] = [];
let joined: Promise<unknown>[] = [];
let oneIdle: TurnEvent = {};

process.on('message', (order: ReadOrder) => {
  void obey(order)
    .catch((error: unknown): ReadResult => ({ failure: String(error) }))
    .then((result) => process.send?.(result));
});
process.on('disconnect', () => process.exit(0));

async function obey(order: ReadOrder): Promise<ReadResult> {
  if (order.does === 'open') {
    await openIdle(order.request, order.idle);
    return { turns: [] };
  }
  if (order.does === 'read') return { turns: await readAll(order) };
  if (order.does === 'join') {
    await joinIdle(order.request, order.readers);
    return { turns: [] };
  }
  if (order.does === 'finish') return { turns: await finishIdle() };
  return { cuts: await cutTurns(order.request, order.turns, order.cutsEach, order.paceMs) };
}

async function finishIdle(): Promise<CountedTurn[]> {
  const turns = await Promise.all(idle);
  await Promise.all(joined);
  [idle, joined] = [[], []];
  return turns.map((turn) => ({ ...turn, amidst: false }));
}

async function openIdle(request: ChatRequest, count: number): Promise<void> {
  const next = async () => {
    while (idle.length < count)
      await new Promise<void>((resolve, reject) => {
        const turn = readTurn(request, { agent: false, question: 'idle', begun: begunWith(resolve) });
        idle.push(turn);
        turn.catch(reject);
      });
  };
  await Promise.all(Array.from({ length: OPENING }, next));
}

function begunWith(resolve: () => void) {
  return (event: TurnEvent): void => {
    oneIdle = event;
    resolve();
  };
}

async function joinIdle({ url, headers }: ChatRequest, readers: number): Promise<void> {
  const { chatId = '', turnId = '' } = oneIdle;
  const turn = new URL(`/sveda/chats/${chatId}/turns/${turnId}/events`, url);
  for (let reader = 0; reader < readers; reader++) {
    const [response] = (await once(get(turn, { headers, agent: false }), 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    await once(response, 'readable');
    joined.push(once(response.resume(), 'end'));
  }
}

async function readAll({
  request,
  streaming,
  turnsEach,
  spread,
}: Extract<ReadOrder, { does: 'read' }>): Promise<CountedTurn[]> {
  const read: CountedTurn[] = [];
  const reader = async (_: unknown, index: number) => {
    await wait((spread / streaming) * index);
    for (let turn = 0; turn < turnsEach; turn++)
      read.push({ ...(await readTurn(request, { agent, question: 'streaming' })), amidst: turn > 0 });
  };
  await Promise.all(Array.from({ length: streaming }, reader));
  return read;
}
