import { closing, errorResult } from './call-states.ts';
import { openChannel, type Channel } from './channel.ts';
import type { Progress, TurnEvent } from './events.ts';
import type { Call } from './history.ts';
import type { Limits } from './limits.ts';
import type { Offer, ToolSource } from './tools.ts';

/** What calls need from the turn around them. */
export interface Grounds {
  readonly offer: Offer;
  readonly limits: Limits;
  /** Aborts when the turn is stopped. */
  readonly signal: AbortSignal;
  /** Told of errors that no one else sees: they go to the log. */
  readonly observe: (error: unknown, where: string) => void;
}

type Settled = Extract<TurnEvent, { type: 'result' }>;

/** Progress that nobody has taken yet beyond this is dropped: the next one says more. */
const WAITING_PROGRESS = 256;

/** Runs calls all at once and yields progress and results as they come. Ends when each has its result. */
export async function* runCalls(calls: readonly Call[], grounds: Grounds): AsyncGenerator<TurnEvent> {
  const events = openChannel<TurnEvent>();
  const all = calls.map(async (call) => events.push(await runCall(call, grounds, events)));
  void Promise.all(all).finally(() => events.close());
  yield* events;
}

/** One call within its time. Never rejects; when it is broken off, its effect is uncertain. */
async function runCall(call: Call, grounds: Grounds, events: Channel<TurnEvent>): Promise<Settled> {
  const source = grounds.offer.get(call.name)?.source;
  if (!source) return closing(call);
  const stop = new AbortController();
  const abort = () => stop.abort(grounds.signal.reason);
  const over = setTimeout(() => stop.abort(new Error('out of time')), grounds.limits.callMs);
  grounds.signal.addEventListener('abort', abort, { once: true });
  if (grounds.signal.aborted) abort();
  const grace = graceAfter(stop.signal, grounds.limits.graceMs);
  try {
    const answer = send(call, source, stop.signal, grounds, events);
    return (await Promise.race([answer, grace.over])) ?? closing({ ...call, state: 'running' });
  } finally {
    clearTimeout(over);
    grace.cancel();
    grounds.signal.removeEventListener('abort', abort);
  }
}

async function send(
  call: Call,
  source: ToolSource,
  signal: AbortSignal,
  { observe }: Grounds,
  events: Channel<TurnEvent>,
): Promise<Settled> {
  const { callId, name, input } = call;
  let running = true;
  const progress = (told: Progress) => {
    if (!running || signal.aborted || events.size >= WAITING_PROGRESS) return;
    events.push({ type: 'progress', callId, ...told });
  };
  try {
    const result = await source.call(name, input, { callId, signal, progress });
    return { type: 'result', callId, outcome: result.isError ? 'failed' : 'succeeded', result };
  } catch (error) {
    if (signal.aborted) return closing({ ...call, state: 'running' });
    if (isRefusal(error)) return failed(callId, error.message);
    observe(error, `tool ${name}`);
    return failed(callId, 'The tool failed.');
  } finally {
    running = false;
  }
}

/** `over` resolves some time after the abort: a tool that does not listen to it is not waited for. */
function graceAfter(signal: AbortSignal, ms: number): { over: Promise<undefined>; cancel: () => void } {
  const done = new AbortController();
  const over = new Promise<undefined>((resolve) => {
    const wait = () => {
      const timer = setTimeout(() => resolve(undefined), ms);
      done.signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
    };
    if (signal.aborted) wait();
    else signal.addEventListener('abort', wait, { once: true, signal: done.signal });
  });
  return { over, cancel: () => done.abort() };
}

function failed(callId: string, text: string): Settled {
  return { type: 'result', callId, outcome: 'failed', result: errorResult(text) };
}

/** The kernel's Refusal, known by its name: this package imports only its types. */
function isRefusal(error: unknown): error is Error {
  return error instanceof Error && error.name === 'Refusal';
}
