import {
  openTranscript,
  runTurn,
  type Route,
  type ToolSource,
  type TurnEvent,
  type Validate,
} from '@portolan/agent';
import type { Kysely } from 'kysely';
import type { Logger } from '@portolan/http';
import { LeaseLost } from '@portolan/store';
import type { TurnStatus } from '@sveda-ai/protocol';
import type { Visitor } from '../embed/tokens.ts';
import type { Tables } from '../tables.ts';
import type { Admitted } from './admission.ts';
import { entriesBefore } from './history.ts';
import type { Hub } from './hub.ts';
import { draftsOf, STEPS, type Draft, type Notice, type Wording } from './translate.ts';
import { openWriter, type Writer } from './writer.ts';

/** The tools of one segment, and how they are let go. */
export interface TurnTools extends Wording {
  readonly sources: readonly ToolSource[];
  /** What the model is told beside the operator's instructions: what failed to load, what the page shows. */
  readonly notes: readonly string[];
  /** What the visitor is told before the answer: which tools are missing. */
  readonly notices: readonly Notice[];
  /** Which tools are offered, which are left out and why: plain JSON, for the operator. */
  readonly diagnostics: unknown;
  /** Marks what a tool said as data, on its way to the model. */
  mark(text: string): string;
  close(): Promise<void>;
}

export interface SegmentOptions {
  readonly db: Kysely<Tables>;
  readonly hub: Hub;
  /** The models to ask for a turn, the one that its post asked for first. */
  readonly routeFor: (model: string | undefined) => Route;
  readonly instructions: () => string;
  readonly validate: Validate;
  openTools(visitor: Visitor, admitted: Admitted, signal: AbortSignal): Promise<TurnTools>;
  readonly leaseMs: number;
  readonly now: () => Date;
  readonly newId: () => string;
  readonly log: Logger;
}

/** The segments that run on this node. They live apart from the requests that began them. */
export function createSegments(options: SegmentOptions) {
  const running = new Map<string, { stop: AbortController; done: Promise<void> }>();

  async function run(visitor: Visitor, admitted: Admitted, signal: AbortSignal): Promise<void> {
    const writer = openWriter(options.db, options.hub, admitted, options.now);
    const tools = await options.openTools(visitor, admitted, signal);
    try {
      await runSegment(options, admitted, tools, writer, signal);
    } finally {
      await tools.close();
    }
  }

  return {
    /** Runs an admitted segment to its end, whoever reads. */
    start(visitor: Visitor, admitted: Admitted): void {
      const stop = new AbortController();
      const beat = keepLease(options, admitted, stop);
      const done = run(visitor, admitted, stop.signal)
        .catch((error: unknown) => {
          const lost = error instanceof LeaseLost;
          options.log[lost ? 'warn' : 'error']({ err: error, turn: admitted.turnId }, 'segment broke off');
        })
        .finally(() => {
          clearInterval(beat);
          running.delete(admitted.turnId);
        });
      running.set(admitted.turnId, { stop, done });
    },
    /** Stops a segment of this node: no further call is sent, and the turn ends as stopped. */
    stop(turnId: string): void {
      running.get(turnId)?.stop.abort(new Error('stopped by the visitor'));
    },
    /** Ends the node's work: what still runs after `graceMs` stays behind for the next node to find. */
    async close(graceMs: number): Promise<void> {
      const all = Promise.allSettled([...running.values()].map(({ done }) => done));
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)));
      await Promise.race([all, late]);
      clearTimeout(timer);
    },
  };
}

export type Segments = ReturnType<typeof createSegments>;

async function runSegment(
  options: SegmentOptions,
  admitted: Admitted,
  tools: TurnTools,
  writer: Writer,
  signal: AbortSignal,
): Promise<void> {
  const earlier = await entriesBefore(options.db, { chat_id: admitted.chatId, ordinal: admitted.ordinal });
  const transcript = openTranscript([...earlier, ...admitted.transcript.entries]);
  let steps = admitted.steps;
  const events = runTurn({
    route: options.routeFor(admitted.model),
    instructions: [options.instructions(), ...tools.notes].join('\n\n'),
    transcript,
    tools: tools.sources,
    mark: tools.mark,
    validate: options.validate,
    limits: { steps: STEPS },
    stepsTaken: steps,
    newId: options.newId,
    signal,
    observe: (error, where) =>
      options.log.error({ err: error, where, turn: admitted.turnId }, 'tool or turn failed'),
  });
  let notices: readonly Draft[] = tools.notices.map((notice) => ({ type: 'notice', ...notice }));
  for await (const event of events) {
    if (event.type === 'step.start') steps += 1;
    if (event.type === 'turn.end' && event.failure?.detail)
      options.log.warn({ detail: event.failure.detail }, 'model failed');
    const drafts = [...notices, ...draftsOf(event, (id) => transcript.call(id), tools)];
    notices = [];
    if (event.type === 'turn.end') {
      const entries = transcript.entries.slice(earlier.length);
      await writer.end(drafts, { status: statusOf(event.reason), entries, steps });
    } else {
      writer.push(event, drafts);
      if (mustBeStored(event)) await writer.settle();
    }
  }
}

/** The loop goes on only when these are stored: what a call did, or is about to do, is never forgotten. */
function mustBeStored({ type }: TurnEvent): boolean {
  return type === 'step.end' || type === 'start' || type === 'result';
}

const statuses: Readonly<Record<string, TurnStatus>> = {
  answered: 'done',
  waiting: 'waiting',
  stopped: 'stopped',
  max_steps: 'max_steps',
};

function statusOf(reason: string): TurnStatus {
  return statuses[reason] ?? 'error';
}

/** Says that this node lives, and hears that the visitor wants to stop. A node that cannot say so for a whole lease stops. */
function keepLease(
  { db, leaseMs, now, log }: SegmentOptions,
  { turnId, fence }: Admitted,
  stop: AbortController,
) {
  const beat = async (): Promise<void> => {
    const row = await db
      .updateTable('turn')
      .set({ lease_until: new Date(now().getTime() + leaseMs) })
      .where('id', '=', turnId)
      .where('fence', '=', fence)
      .where('status', '=', 'running')
      .returning('stop_requested')
      .executeTakeFirst();
    if (row?.stop_requested) stop.abort(new Error('stopped by the visitor'));
  };
  return setInterval(() => {
    beat().catch((error: unknown) => log.warn({ err: error, turn: turnId }, 'lease not renewed'));
  }, leaseMs / 3);
}
