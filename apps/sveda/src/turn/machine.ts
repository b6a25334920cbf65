import { openCalls, type Transcript } from '@portolan/agent';
import type { ErrorCode, TurnStatus } from '@sveda-ai/protocol';

/**
 * Where a turn stands. model: the model speaks. calls: its calls run. page: a call waits for its result from the page. decision: a call
 * waits for the visitor. lapsed: it did so for too long. broken: ended by an error or with its node. The others as they are stored.
 */
export type Phase =
  | 'model'
  | 'calls'
  | 'page'
  | 'decision'
  | 'lapsed'
  | 'broken'
  | Extract<TurnStatus, 'done' | 'stopped' | 'max_steps'>;

/** What comes to a turn from outside: posts of the visitor, the wish to stop, and the end of the node that ran it. */
export type Input = 'message' | 'results' | 'decisions' | 'continue' | 'stop' | 'death';

/**
 * What an input does. open: a new turn begins. close: what is open is closed and the turn is stopped. go on: the turn gets
 * another segment. tell: the node that runs it is told to stop. break off: what ran is told as uncertain, what waits stays open.
 */
export type Verdict =
  | { readonly does: 'open' | 'close, then open' | 'go on' | 'close' | 'tell' | 'break off' | 'nothing' }
  | { readonly does: 'refuse'; readonly error: ErrorCode; readonly message: string };

const refuse = (error: ErrorCode, message: string): Verdict => ({ does: 'refuse', error, message });

const answering = refuse('turn_in_progress', 'The chat is still answering.');
const undecided = refuse('confirmation_pending', 'A call waits for your decision.');
const lapsed = refuse('call_expired', 'The time for this decision is over.');
const notOpen = refuse('call_not_open', 'No call of the last turn waits for this.');
const finished = refuse('nothing_to_continue', 'There is nothing to continue.');
const open: Verdict = { does: 'open' };
const closeThenOpen: Verdict = { does: 'close, then open' };
const goOn: Verdict = { does: 'go on' };
const close: Verdict = { does: 'close' };
const nothing: Verdict = { does: 'nothing' };

/** Every input in every phase: what is not written here cannot happen to a turn. */
const verdicts: Readonly<Record<Input, Readonly<Record<Phase, Verdict>>>> = {
  message: {
    model: answering,
    calls: answering,
    page: closeThenOpen,
    decision: undecided,
    lapsed: closeThenOpen,
    broken: open,
    done: open,
    stopped: open,
    max_steps: open,
  },
  results: {
    model: answering,
    calls: answering,
    page: goOn,
    decision: goOn,
    lapsed: goOn,
    broken: notOpen,
    done: notOpen,
    stopped: notOpen,
    max_steps: notOpen,
  },
  decisions: {
    model: answering,
    calls: answering,
    page: notOpen,
    decision: goOn,
    lapsed,
    broken: notOpen,
    done: notOpen,
    stopped: notOpen,
    max_steps: notOpen,
  },
  continue: {
    model: answering,
    calls: answering,
    page: finished,
    decision: undecided,
    lapsed: finished,
    broken: goOn,
    done: finished,
    stopped: finished,
    max_steps: goOn,
  },
  stop: {
    model: { does: 'tell' },
    calls: { does: 'tell' },
    page: close,
    decision: close,
    lapsed: close,
    broken: nothing,
    done: nothing,
    stopped: nothing,
    max_steps: nothing,
  },
  death: {
    model: { does: 'break off' },
    calls: { does: 'break off' },
    page: nothing,
    decision: nothing,
    lapsed: nothing,
    broken: nothing,
    done: nothing,
    stopped: nothing,
    max_steps: nothing,
  },
};

/** What `input` does to a turn that stands at `phase`. */
export function decide(phase: Phase, input: Input): Verdict {
  return verdicts[input][phase];
}

/** Milliseconds for which a call may wait for its decision. */
export const DECISION_MS = 24 * 3_600_000;

/** Where a stored turn stands. `askedAt` is when its open calls were made, where one of them asks for a decision. */
export function phaseOf(
  status: TurnStatus,
  { lastStep }: Pick<Transcript, 'lastStep'>,
  askedAt: Date | undefined,
  now: Date,
): Phase {
  const open = openCalls(lastStep);
  if (status === 'running') return open.length > 0 && lastStep?.ended === 'whole' ? 'calls' : 'model';
  if (open.some(({ state }) => state === 'asking'))
    return askedAt && now.getTime() - askedAt.getTime() > DECISION_MS ? 'lapsed' : 'decision';
  if (open.length > 0) return 'page';
  return status === 'error' || status === 'waiting' ? 'broken' : status;
}
