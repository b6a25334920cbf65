import { randomUUID } from 'node:crypto';
import type { OfferedTool, ToolSource } from '@portolan/agent';
import { scripted } from '@portolan/agent';
import { createLog } from '@portolan/http';
import { newId, openStore } from '@portolan/store';
import type { KyselyPlugin } from 'kysely';
import type { StreamRequest, SvedaEvent } from '@sveda-ai/protocol';
import type { Visitor } from '../../embed/tokens.ts';
import { migrations } from '../../migrations.ts';
import type { Tables } from '../../tables.ts';
import { admit } from '../admit.ts';
import { follow } from '../follow.ts';
import { openTurns } from '../node.ts';
import { stopTurn } from '../stop.ts';
import { sweepTurns } from '../sweep.ts';

/** One chat under test: its model's script, its tools, and what they were asked. */
export interface Talk {
  readonly visitor: string;
  readonly script: Parameters<typeof scripted>[0];
  /** Tools that the policy allows just now. */
  readonly allowed: Set<string>;
  /** Every execution, as it happened: which call, and whether it stood among the tools that its segment was offered. */
  readonly runs: { readonly callId: string; readonly name: string; readonly offered: boolean }[];
  /** Lets go of the calls that take their time. */
  release: () => void;
  released: Promise<void>;
}

const schema = { type: 'object' };

/** Host tools run here, page tools do not; `…Asked` ones ask for confirmation; `slow` takes its time. */
export const tools: readonly OfferedTool[] = [
  { name: 'read', description: '', inputSchema: schema },
  { name: 'slow', description: '', inputSchema: schema },
  { name: 'wipeAsked', description: '', inputSchema: schema, confirmation: 'required' },
  { name: 'show', description: '', inputSchema: schema, runs: 'page' },
  { name: 'markAsked', description: '', inputSchema: schema, runs: 'page', confirmation: 'required' },
];

/** The tools of one segment: offered as far as they are allowed now, counted when they run. */
function sourceOf(talk: Talk): ToolSource {
  const offer = tools.filter(({ name }) => talk.allowed.has(name));
  return {
    list: () => Promise.resolve(offer),
    async call(name, _input, { callId, signal }) {
      talk.runs.push({ callId, name, offered: offer.some((tool) => tool.name === name) });
      if (name === 'slow') await Promise.race([talk.released, aborted(signal)]);
      return { content: [{ type: 'text', text: `ran ${callId}` }] };
    },
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** A node of the turn's room over the real database. It can die: from then on nothing of it reaches the database. */
export async function openNode(url: string, talks: ReadonlyMap<string, Talk>) {
  const store = await openStore<Tables>({ url, dataDir: '', app: 'sveda', migrations });
  let dead = false;
  const gate: KyselyPlugin = {
    transformQuery({ node }) {
      if (dead) throw new Error('the node is dead');
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const db = store.db.withPlugin(gate);
  const prepare: typeof store.prepare = (name, text) => {
    const ask = store.prepare<never>(name, text);
    return (values) => (dead ? Promise.reject(new Error('the node is dead')) : ask(values));
  };
  const talkOf = (visitor: string): Talk => {
    const talk = talks.get(visitor);
    if (!talk) throw new Error(`no talk of ${visitor}`);
    return talk;
  };
  const admission = {
    db,
    wording: { contextTokens: 1_000 },
    node: randomUUID(),
    leaseMs: 600_000,
    now: () => new Date(),
    newId: () => newId(Date.now()),
  };
  const turns = await openTurns({
    store: { db, listen: (channel, onHint) => store.listen(channel, onHint), prepare },
    admission,
    routeFor: (visitor) => ({ candidates: [scripted(talkOf(visitor ?? '').script)] }),
    instructions: () => 'You help.',
    openValidation: () => () => undefined,
    openTools: ({ visitor }) =>
      Promise.resolve({
        sources: [sourceOf(talkOf(visitor))],
        notes: [],
        notices: [],
        diagnostics: undefined,
        mark: (text: string) => text,
        contextTokens: 1_000,
        close: () => Promise.resolve(),
      }),
    newId: randomUUID,
    log: createLog({ name: 'sveda', level: 'fatal' }),
  });
  return {
    name: admission.node,
    get isDead() {
      return dead;
    },
    /** Posts for the visitor. The model of a talk is found by its visitor's name. */
    async post(visitor: string, body: Partial<StreamRequest>) {
      const admitted = await admit(admission, visitor, { ...body, model: visitor }, () => true);
      void turns.segments.start({ visitor } as Visitor, admitted);
      return admitted;
    },
    stop: (chatId: string, turnId: string) => stopTurn(admission, chatId, turnId),
    sweep: () => sweepTurns(admission),
    read: (turnId: string, after: number, signal: AbortSignal): AsyncGenerator<SvedaEvent> =>
      follow(db, turns.hub, { turnId, after, signal }),
    /** Resolves when nothing runs here any more. */
    rest: () => turns.segments.close(60_000),
    die(): void {
      dead = true;
      // Its calls end with its process.
      for (const { turnId } of turns.segments.held) turns.segments.stop(turnId, new Error('dead'));
    },
    async close(): Promise<void> {
      if (!dead) await turns.end(5_000);
      else await turns.end(0).catch(() => undefined);
      await store.close();
    },
  };
}

export type TestNode = Awaited<ReturnType<typeof openNode>>;
