import { setMaxListeners } from 'node:events';
import { closing, errorResult } from './call-states.ts';
import type { TurnEvent } from './events.ts';
import { failure, type Failure } from './failure.ts';
import { openCalls } from './history.ts';
import { refusalOf } from './review.ts';
import { runCalls } from './run-calls.ts';
import { keep, openRun, type Run, type Turn } from './run.ts';
import { answered, firstReason, stepLimit } from './stop-rules.ts';
import { takeStep } from './take-step.ts';
import { gatherOffer } from './tools.ts';

type TurnEnd = Extract<TurnEvent, { type: 'turn.end' }>;

/**
 * Runs a turn as far as it goes by itself: model, calls, model, until it is answered, must wait, or is stopped.
 * Each event stands in the transcript before it is yielded, and nothing goes on until the next one is asked for:
 * a consumer that stores before it asks loses nothing. Never throws; the last event is always `turn.end`. Leaving
 * the iteration early ends the model's request and the calls.
 */
export async function* runTurn(turn: Turn): AsyncGenerator<TurnEvent, void, void> {
  const inner = new AbortController();
  // Every call that runs listens to it.
  setMaxListeners(0, inner.signal);
  const stop = () => inner.abort(turn.signal.reason);
  turn.signal.addEventListener('abort', stop, { once: true });
  if (turn.signal.aborted) stop();
  const run = openRun(turn, inner.signal);
  try {
    for await (const event of outline(run)) {
      keep(run, event);
      yield event;
    }
  } catch (error) {
    run.observe(error, 'turn');
    yield endOf(run, 'error', failure('internal'));
  } finally {
    turn.signal.removeEventListener('abort', stop);
    inner.abort(new Error('the turn is over'));
  }
}

/** Finish what is open, then step by step, until something ends the turn. */
async function* outline(run: Run): AsyncGenerator<TurnEvent, void> {
  const rules = [answered, stepLimit(run.limits.steps), ...(run.stop ?? [])];
  yield* recover(run);
  if (!(await canOffer(run))) return yield endOf(run, 'error', failure('tools_unavailable'));
  for (;;) {
    yield* settleCalls(run);
    if (run.signal.aborted) return yield* stopped(run);
    if (openCalls(run.transcript.lastStep).length > 0) return yield endOf(run, 'waiting');
    const reason = firstReason(rules, { ...run, entries: run.transcript.entries });
    if (reason) return yield endOf(run, reason);
    const broken = yield* takeStep(run);
    if (broken) return yield endOf(run, 'error', broken);
  }
}

/** What a run that was killed has left: its step is cut, its running calls are uncertain and never sent again. */
function* recover({ transcript }: Run): Generator<TurnEvent> {
  if (transcript.lastStep?.ended === 'open') yield { type: 'step.end', ended: 'cut', calls: [] };
  for (const call of openCalls(transcript.lastStep)) if (call.state === 'running') yield closing(call);
}

async function canOffer(run: Run): Promise<boolean> {
  try {
    run.offer = await gatherOffer(run.tools, run.signal);
    return true;
  } catch (error) {
    run.observe(error, 'tools');
    return run.signal.aborted;
  }
}

/** Tells denials and refusals, then runs every call that waits for nobody, all at once. */
async function* settleCalls(run: Run): AsyncGenerator<TurnEvent, void> {
  const open = openCalls(run.transcript.lastStep);
  const due = open.filter((call) => call.state === 'due');
  const free = due.slice(0, run.limits.callsPerStep);
  for (const call of open) if (call.state === 'denied') yield closing(call);
  const sound = [];
  for (const call of due) {
    const refusal = free.includes(call)
      ? refusalOf(call, run.offer, run.validate)
      : `Only ${run.limits.callsPerStep} calls run in one step. Make this call again.`;
    if (refusal === undefined) sound.push(call);
    else yield { type: 'result', callId: call.callId, outcome: 'refused', result: errorResult(refusal) };
  }
  if (sound.length === 0 || run.signal.aborted) return;
  yield { type: 'start', callIds: sound.map((call) => call.callId) };
  yield* runCalls(sound, run);
}

/** The user stopped the turn: no call stays open, and those that were not sent never are. */
function* stopped(run: Run): Generator<TurnEvent, void> {
  for (const call of openCalls(run.transcript.lastStep)) yield closing(call);
  yield endOf(run, 'stopped');
}

function endOf(run: Run, reason: string, broken?: Failure): TurnEnd {
  return { type: 'turn.end', reason, usage: run.usage, ...(broken && { failure: broken }) };
}
