import type { LanguageModelV3CallOptions, LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { setTimeout as wait } from 'node:timers/promises';
import { failure, failureOf, ModelFailure, type Failure } from './failure.ts';
import type { Limits } from './limits.ts';
import { labelOf, type Candidate, type Route } from './route.ts';
import { startWatch } from './watch.ts';

export type Part = LanguageModelV3StreamPart;

/** What every candidate is asked, and by whom it may be stopped. */
export interface Question {
  readonly optionsFor: (candidate: Candidate) => LanguageModelV3CallOptions;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Told of every failed try, also of those that another candidate makes good. */
  readonly observe: (error: unknown, where: string) => void;
}

/** A model that began to answer. `parts` throws a ModelFailure when the answer breaks off. */
export interface Answer {
  readonly candidate: Candidate;
  readonly parts: AsyncGenerator<Part, void>;
}

/**
 * The first candidate that gives output. Before its first output a failure leads to the next candidate; the last
 * one is tried again a few times when it may help, after the wait that it asked for. Never rejects for a model's sake.
 */
export async function firstAnswer(route: Route, question: Question): Promise<Answer | Failure> {
  const { limits, signal } = question;
  let failed = failure('internal', 'the route has no candidates');
  for (const candidate of route.candidates) {
    const tries = candidate === route.candidates.at(-1) ? limits.retries + 1 : 1;
    for (let attempt = 0; attempt < tries; attempt += 1) {
      const opened = await open(candidate, question);
      if ('candidate' in opened || signal.aborted) return opened;
      failed = opened;
      question.observe(new ModelFailure(failed), `model ${labelOf(candidate)}`);
      const pause = attempt + 1 < tries ? pauseBefore(failed, attempt, limits) : undefined;
      if (pause === undefined) break;
      await wait(pause, undefined, { signal }).catch(() => {});
      if (signal.aborted) return failed;
    }
  }
  return failed;
}

const FIRST_PAUSE_MS = 500;

/** Milliseconds to wait before the same candidate is asked again; nothing when that would not help. */
export function pauseBefore(failed: Failure, attempt: number, limits: Limits): number | undefined {
  if (!failed.retryable) return undefined;
  const pause = failed.retryAfterMs ?? FIRST_PAUSE_MS * 2 ** attempt;
  return pause <= limits.retryWaitMs ? pause : undefined;
}

/** Asks one candidate and reads as far as its first output. */
async function open(candidate: Candidate, question: Question): Promise<Answer | Failure> {
  const stream = partsOf(candidate, question);
  const head: Part[] = [];
  try {
    for (;;) {
      const { value, done } = await stream.next();
      if (done) break;
      head.push(value);
      if (isOutput(value)) break;
    }
  } catch (error) {
    return readable(error, candidate, false);
  }
  return { candidate, parts: joined(head, stream) };
}

async function* joined(head: readonly Part[], rest: AsyncGenerator<Part, void>): AsyncGenerator<Part, void> {
  try {
    yield* head;
    yield* rest;
  } finally {
    await rest.return();
  }
}

/** The provider's stream up to its finish, under watch. Throws nothing but a ModelFailure. */
async function* partsOf(candidate: Candidate, question: Question): AsyncGenerator<Part, void> {
  const watch = startWatch(question.limits, question.signal);
  let answering = false;
  try {
    const options = { ...question.optionsFor(candidate), abortSignal: watch.signal };
    const { stream } = await candidate.model.doStream(options);
    const reader = stream.getReader();
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) throw new ModelFailure(failure('model_cut'));
        watch.rest();
        demandSound(value);
        if (!answering && isOutput(value)) {
          answering = true;
          watch.began();
        }
        yield value;
        if (value.type === 'finish') return;
        watch.listen();
      }
    } finally {
      await reader.cancel().catch(() => {});
    }
  } catch (error) {
    throw new ModelFailure(watch.stalled ? failure('model_stalled') : readable(error, candidate, answering));
  } finally {
    watch.end();
  }
}

/** A finish of no known kind and without the provider's own reason is none: the connection was closed early. */
function demandSound(part: Part): void {
  if (part.type === 'error') throw part.error;
  if (part.type !== 'finish') return;
  const { unified, raw } = part.finishReason;
  if (unified === 'other' && raw === undefined) throw new ModelFailure(failure('model_cut'));
}

function isOutput(part: Part): boolean {
  switch (part.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return part.delta !== '';
    case 'tool-input-start':
    case 'tool-call':
    case 'finish':
      return true;
    default:
      return false;
  }
}

function readable(error: unknown, candidate: Candidate, answering: boolean): Failure {
  const failed = failureOf(error, answering, new Date());
  return failed.detail ? { ...failed, detail: candidate.redact(failed.detail) } : failed;
}
