import type { TokenUsage, TurnEvent } from './events.ts';
import { defaultLimits, type Limits } from './limits.ts';
import type { Route } from './route.ts';
import type { StopRule } from './stop-rules.ts';
import type { Offer, ToolSource, Validate } from './tools.ts';
import type { Transcript } from './transcript.ts';

/** Everything that one run of a turn needs. */
export interface Turn {
  readonly route: Route;
  readonly instructions: string;
  /** The talk so far. The run goes on from what is there: a message, results, decisions, a broken step. */
  readonly transcript: Transcript;
  readonly tools: readonly ToolSource[];
  readonly validate: Validate;
  /** Marks the text of a tool's result as data, on its way to the model. As it is when absent. */
  readonly mark?: ((text: string) => string) | undefined;
  readonly limits?: Partial<Limits>;
  /** Rules of the app, asked before every model call after the built-in ones. */
  readonly stop?: readonly StopRule[];
  /** Model calls that earlier runs of this turn have taken; they count towards the limit. */
  readonly stepsTaken?: number;
  /** Makes unique ids of letters, digits, hyphens and underscores. */
  readonly newId: () => string;
  /** Aborting it stops the turn: the events go on until `turn.end`. */
  readonly signal: AbortSignal;
  /** Told of errors that are ours or a tool's, and of every failed try at a model (a ModelFailure): for the log. */
  readonly observe: (error: unknown, where: string) => void;
}

/** A turn at work: its arguments, filled in, and what it has found out. */
export interface Run extends Turn {
  readonly limits: Limits;
  offer: Offer;
  steps: number;
  usage: TokenUsage;
}

/** A run of the turn under a signal of its own. */
export function openRun(turn: Turn, signal: AbortSignal): Run {
  return {
    ...turn,
    signal,
    limits: { ...defaultLimits, ...turn.limits },
    offer: new Map(),
    steps: turn.stepsTaken ?? 0,
    usage: { inputTokens: 0, outputTokens: 0 },
  };
}

/** Writes an event into the transcript and the run's account. */
export function keep(run: Run, event: TurnEvent): void {
  run.transcript.take(event);
  if (event.type === 'step.start') run.steps += 1;
  if (event.type === 'step.end' && event.usage) {
    const { inputTokens, outputTokens } = event.usage;
    run.usage = {
      inputTokens: run.usage.inputTokens + inputTokens,
      outputTokens: run.usage.outputTokens + outputTokens,
    };
  }
}
