import type { OutsideEvent, TurnEvent } from './events.ts';
import { callsOf, openCalls, type Call, type Entry, type StepEntry, type StepPart } from './history.ts';
import { decided, settled, started } from './call-states.ts';

/** The history of one talk and the only way in which it changes. */
export interface Transcript {
  /** The history now. Plain data; store it, never change it. */
  readonly entries: readonly Entry[];
  /** The last entry, when it is a step. */
  readonly lastStep: StepEntry | undefined;
  /** Finds a call of the last step. */
  call(callId: string): Call | undefined;
  /** Applies an event. Throws an Error when it does not fit what is there; nothing has changed then. */
  take(event: TurnEvent | OutsideEvent): void;
}

/** Opens a transcript over stored entries (none for a new talk). They are copied. */
export function openTranscript(stored: readonly Entry[] = []): Transcript {
  const entries = structuredClone(stored) as Entry[];
  const lastStep = () => {
    const last = entries.at(-1);
    return last?.role === 'assistant' ? last : undefined;
  };
  return {
    entries,
    get lastStep() {
      return lastStep();
    },
    call: (callId) => callsOf(lastStep()).find((call) => call.callId === callId),
    take: (event) => apply(entries, event),
  };
}

function apply(entries: Entry[], event: TurnEvent | OutsideEvent): void {
  switch (event.type) {
    case 'message':
      demandRest(entries, 'a message');
      entries.push({ role: 'user', parts: event.parts });
      break;
    case 'step.start':
      demandRest(entries, 'a step');
      entries.push({ role: 'assistant', by: event.by, parts: [], ended: 'open' });
      break;
    case 'text':
    case 'reasoning':
    case 'reasoning.mark':
      addToPart(openStep(entries).parts as StepPart[], event);
      break;
    case 'step.end': {
      const step = openStep(entries);
      entries[entries.length - 1] = {
        ...step,
        parts: [...step.parts, ...event.calls],
        ended: event.ended,
      };
      break;
    }
    case 'decision':
      changeCall(entries, event.callId, (call) => decided(call, event.decision, event.reason));
      break;
    case 'start':
      for (const callId of event.callIds) changeCall(entries, callId, started);
      break;
    case 'result':
      changeCall(entries, event.callId, (call) => settled(call, event.outcome, event.result));
      break;
    case 'progress':
    case 'turn.end':
      break;
  }
}

/** A part of an open step grows in place: this runs for every token. */
function addToPart(
  parts: StepPart[],
  event: Extract<TurnEvent, { type: 'text' | 'reasoning' | 'reasoning.mark' }>,
): void {
  if (event.type === 'text') {
    const last = parts.at(-1);
    if (last?.type === 'text') parts[parts.length - 1] = { type: 'text', text: last.text + event.delta };
    else parts.push({ type: 'text', text: event.delta });
    return;
  }
  const at = parts.findLastIndex((part) => part.type === 'reasoning' && part.key === event.key);
  const block = parts[at] ?? { type: 'reasoning', key: event.key, text: '' };
  if (block.type !== 'reasoning') return;
  const grown =
    event.type === 'reasoning'
      ? { ...block, text: block.text + event.delta }
      : { ...block, ...(event.metadata && { metadata: { ...block.metadata, ...event.metadata } }) };
  if (at === -1) parts.push(grown);
  else parts[at] = grown;
}

function changeCall(entries: Entry[], callId: string, change: (call: Call) => Call): void {
  const step = entries.at(-1);
  const at = step?.role === 'assistant' ? step.parts.findIndex((part) => isCall(part, callId)) : -1;
  const call = step?.role === 'assistant' ? step.parts[at] : undefined;
  if (step?.role !== 'assistant' || call?.type !== 'call') throw new Error(`there is no call ${callId}`);
  entries[entries.length - 1] = { ...step, parts: step.parts.with(at, change(call)) };
}

function isCall(part: StepPart, callId: string): boolean {
  return part.type === 'call' && part.callId === callId;
}

function openStep(entries: readonly Entry[]): StepEntry {
  const step = entries.at(-1);
  if (step?.role !== 'assistant' || step.ended !== 'open') throw new Error('no step is open');
  return step;
}

/** A new entry may only follow one that is over. */
function demandRest(entries: readonly Entry[], what: string): void {
  const last = entries.at(-1);
  if (last?.role === 'assistant' && last.ended === 'open') throw new Error(`${what} within an open step`);
  if (openCalls(last).length > 0) throw new Error(`${what} while calls lack their results`);
}
