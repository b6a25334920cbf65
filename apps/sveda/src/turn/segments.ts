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
import type { Hold } from './leases.ts';
import { openWriter, type Writer, type WriterPorts } from './writer.ts';

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

export interface SegmentOptions extends WriterPorts {
  readonly db: Kysely<Tables>;
  readonly hub: Hub;
  /** The models to ask for a turn, the one that its post asked for first. */
  readonly routeFor: (model: string | undefined) => Route;
  readonly instructions: () => string;
  /** Checks the arguments of the calls of one segment. */
  readonly openValidation: () => Validate;
  /** Told of a segment that broke off though this node holds its turn: the database did not take what it wrote. */
  readonly broke: (hold: Hold) => void;
  openTools(visitor: Visitor, admitted: Admitted, signal: AbortSignal): Promise<TurnTools>;
  readonly newId: () => string;
  readonly log: Logger;
}

/** The segments that run on this node. They live apart from the requests that began them. */
export function createSegments(options: SegmentOptions) {
  const running = new Map<string, { fence: number; stop: AbortController; done: Promise<void> }>();
  let isOver = false;

  async function run(visitor: Visitor, admitted: Admitted, stop: AbortController): Promise<void> {
    const { signal } = stop;
    const writer = openWriter(options, admitted, (error) => stop.abort(error));
    const tools = await options.openTools(visitor, admitted, signal);
    try {
      await runSegment(options, { visitor, admitted, tools, writer, signal });
    } finally {
      await tools.close();
    }
  }

  async function ran(visitor: Visitor, admitted: Admitted, stop: AbortController): Promise<void> {
    const { turnId } = admitted;
    let isUnwritten = false;
    try {
      await run(visitor, admitted, stop);
    } catch (error) {
      // What was left behind: the database is closed under it, and others tell how it ended.
      if (isOver) return;
      const lost = error instanceof LeaseLost;
      options.log[lost ? 'warn' : 'error']({ err: error, turn: turnId }, 'segment broke off');
      isUnwritten = !lost;
    }
    running.delete(turnId);
    options.hub.end(turnId);
    if (isUnwritten) options.broke(admitted);
  }

  return {
    /** Runs an admitted segment to its end, whoever reads. Resolves then, also when it broke off. */
    start(visitor: Visitor, admitted: Admitted): Promise<void> {
      const stop = new AbortController();
      options.hub.begin(admitted.turnId, admitted.events);
      const done = ran(visitor, admitted, stop);
      running.set(admitted.turnId, { fence: admitted.fence, stop, done });
      return done;
    },
    /** Stops a segment of this node: no further call is sent, and the turn ends as stopped, where it is still ours. */
    stop(turnId: string, why: Error = new Error('stopped by the visitor')): void {
      running.get(turnId)?.stop.abort(why);
    },
    runs: (turnId: string): boolean => running.has(turnId),
    /** The turns that run here, and under which fence each. */
    get held(): readonly Hold[] {
      return [...running].map(([turnId, { fence }]) => ({ turnId, fence }));
    },
    /** Ends the node's work: what still runs after `graceMs` stays behind for the next node to find. */
    async close(graceMs: number): Promise<void> {
      const all = Promise.allSettled([...running.values()].map(({ done }) => done));
      let timer: ReturnType<typeof setTimeout> | undefined;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, graceMs)));
      await Promise.race([all, late]);
      clearTimeout(timer);
      isOver = true;
    },
  };
}

export type Segments = ReturnType<typeof createSegments>;

/** One segment at work. */
interface Segment {
  readonly visitor: Visitor;
  readonly admitted: Admitted;
  readonly tools: TurnTools;
  readonly writer: Writer;
  readonly signal: AbortSignal;
}

async function runSegment(
  options: SegmentOptions,
  { visitor, admitted, tools, writer, signal }: Segment,
): Promise<void> {
  const earlier = await entriesBefore(options.db, { chat_id: admitted.chatId, ordinal: admitted.ordinal });
  const transcript = openTranscript([...earlier, ...admitted.transcript.entries]);
  let steps = admitted.steps;
  const events = runTurn({
    route: options.routeFor(admitted.model),
    instructions: [options.instructions(), ...tools.notes].join('\n\n'),
    transcript,
    tools: tools.sources,
    mark: (text) => tools.mark(text),
    validate: options.openValidation(),
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
      const { usage } = event;
      const { policy } = visitor;
      await writer.end(drafts, {
        status: statusOf(event.reason),
        entries,
        steps,
        usage,
        policy,
        tools: tools.diagnostics,
      });
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
