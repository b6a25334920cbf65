import type { EventOf, EventType, SvedaEvent } from '../events.ts';

/** A state machine over the events of one turn: it refuses every order that the grammar does not allow. */
export interface Grammar {
  /** Takes the next event. Throws an Error that names the event and the rule it breaks. */
  take(event: SvedaEvent): void;
  /** Takes the `[DONE]` line, once after each message.end. Throws like `take`. */
  done(): void;
  /** True where a stream may end: nothing yet, or `[DONE]` after the last message.end. */
  readonly atRest: boolean;
}

interface Call {
  readonly target: 'backend' | 'frontend';
  /** free: may run at once. asked: waits for a decision. Else the decision, or settled by its result. */
  state: 'free' | 'asked' | 'approve' | 'deny' | 'settled';
}

interface Turn {
  /** fresh: no segment yet. open: within one. ended: `[DONE]` is due. paused: may go on. over: may not. */
  phase: 'fresh' | 'open' | 'ended' | 'paused' | 'over';
  lastId: number;
  chatId: string;
  turnId: string;
  readonly calls: Map<string, Call>;
  /** What ended the open segment, or what its message.end must say. */
  finish: EventOf<'message.end'>['finishReason'] | undefined;
}

/** Starts with an empty turn; feed it every event of the turn, over all its posts. */
export function createGrammar(): Grammar {
  const turn: Turn = {
    phase: 'fresh',
    lastId: 0,
    chatId: '',
    turnId: '',
    calls: new Map(),
    finish: undefined,
  };
  return {
    take(event) {
      const fault = envelopeFault(turn, event) ?? placeFault(turn, event) ?? ruleFor(event)(turn, event);
      if (fault) throw new Error(`event ${event.id} (${event.type}): ${fault}`);
      turn.lastId = event.id;
    },
    done() {
      if (turn.phase !== 'ended') throw new Error('[DONE]: comes once, right after message.end');
      turn.phase = turn.finish === 'stop' || turn.finish === 'stopped' ? 'over' : 'paused';
      turn.finish = undefined;
    },
    get atRest() {
      return turn.phase !== 'open' && turn.phase !== 'ended';
    },
  };
}

/** What holds for every event: ids without gaps, one chat, one turn. */
function envelopeFault(turn: Turn, event: SvedaEvent): string | undefined {
  if (event.id !== turn.lastId + 1) return `id ${turn.lastId + 1} is due`;
  if (turn.phase === 'fresh') {
    turn.chatId = event.chatId;
    turn.turnId = event.turnId;
  }
  if (event.chatId !== turn.chatId) return `belongs to chat ${event.chatId}, not ${turn.chatId}`;
  if (event.turnId !== turn.turnId) return `belongs to turn ${event.turnId}, not ${turn.turnId}`;
  return undefined;
}

/** Segments: message.start opens one, nothing stands outside, and what ends it stands alone before message.end. */
function placeFault(turn: Turn, event: SvedaEvent): string | undefined {
  if (event.type === 'message.start') {
    return turn.phase === 'fresh' || turn.phase === 'paused' ? undefined : `not allowed when ${turn.phase}`;
  }
  if (turn.phase !== 'open') return 'stands outside a segment';
  if (turn.finish && event.type !== 'message.end') return `only message.end may follow ${turn.finish}`;
  return undefined;
}

type Rule<E> = (turn: Turn, event: E) => string | undefined;

const rules: { readonly [T in EventType]: Rule<EventOf<T>> } = {
  'message.start': (turn) => {
    turn.phase = 'open';
    return undefined;
  },
  'text.delta': modelSpeaks,
  'reasoning.delta': modelSpeaks,
  'tool.call': (turn, { toolCallId, target, confirmation }) => {
    if (turn.calls.has(toolCallId)) return `call ${toolCallId} was made before`;
    turn.calls.set(toolCallId, { target, state: confirmation ? 'asked' : 'free' });
    return undefined;
  },
  'tool.decision': (turn, { toolCallId, decision }) => {
    const call = turn.calls.get(toolCallId);
    if (call?.state !== 'asked') return `call ${toolCallId} waits for no decision`;
    call.state = decision;
    return undefined;
  },
  'tool.progress': (turn, { toolCallId }) => {
    const call = turn.calls.get(toolCallId);
    return call && isRunning(call) ? undefined : `call ${toolCallId} is not running`;
  },
  'tool.result': (turn, { toolCallId, status }) => {
    const call = turn.calls.get(toolCallId);
    if (!call || call.state === 'settled') return `call ${toolCallId} is not open`;
    if (call.state === 'asked' && status !== 'cancelled') return `call ${toolCallId} was not decided`;
    if ((call.state === 'deny') !== (status === 'denied')) return `${status} does not fit ${call.state}`;
    call.state = 'settled';
    return undefined;
  },
  'context.usage': () => undefined,
  'chat.title': () => undefined,
  notice: () => undefined,
  max_steps: (turn) => {
    turn.finish = 'max_steps';
    return openCalls(turn).length > 0 ? 'calls are open' : undefined;
  },
  error: (turn) => {
    turn.finish = 'error';
    return undefined;
  },
  'message.end': (turn, { finishReason }) => {
    const open = openCalls(turn);
    const due = turn.finish ?? (open.length > 0 ? 'tool_calls' : undefined);
    turn.phase = 'ended';
    turn.finish = finishReason;
    if (open.some(mustSettle)) return 'a call lacks its result';
    if (due ? finishReason !== due : !['stop', 'stopped'].includes(finishReason))
      return `finishReason ${finishReason}, but ${due ?? 'stop or stopped'} is due`;
    return undefined;
  },
};

function ruleFor(event: SvedaEvent): Rule<SvedaEvent> {
  return rules[event.type] as Rule<SvedaEvent>;
}

/** The model's next step begins when every call of the one before has its result. */
function modelSpeaks(turn: Turn): string | undefined {
  return openCalls(turn).length > 0 ? 'the model speaks while calls are open' : undefined;
}

function openCalls(turn: Turn): Call[] {
  return [...turn.calls.values()].filter((call) => call.state !== 'settled');
}

/** On its way in the backend. */
function isRunning(call: Call): boolean {
  return call.target === 'backend' && (call.state === 'free' || call.state === 'approve');
}

/** A segment may leave calls open only for the page or the visitor; a denial is answered where it was taken. */
function mustSettle(call: Call): boolean {
  return isRunning(call) || call.state === 'deny';
}
