import { describe, expect, it } from 'vitest';
import { closing, errorResult } from './call-states.ts';
import type { OutsideEvent, TurnEvent } from './events.ts';
import type { Call, CallState, Outcome } from './history.ts';
import { openTranscript } from './transcript.ts';

const states: CallState[] = ['asking', 'denied', 'due', 'running', 'page', 'done'];
const outcomes: Outcome[] = ['succeeded', 'failed', 'refused', 'denied', 'cancelled', 'uncertain'];

function call(state: CallState, more: Partial<Call> = {}): Call {
  return { type: 'call', callId: 'c', name: 'find', input: {}, runs: 'here', state, ...more };
}

function talkWith(one: Call) {
  return openTranscript([{ role: 'assistant', by: 'x/y', ended: 'whole', parts: [one] }]);
}

function after(one: Call, event: TurnEvent | OutsideEvent): CallState | 'refused' {
  const transcript = talkWith(one);
  try {
    transcript.take(event);
  } catch {
    expect(transcript.call('c')).toEqual(one);
    return 'refused';
  }
  return transcript.call('c')?.state ?? 'refused';
}

describe('the states of a call', () => {
  it('change only by these events: every other cell of the table is refused', () => {
    const events: Record<string, TurnEvent | OutsideEvent> = {
      approve: { type: 'decision', callId: 'c', decision: 'approve' },
      deny: { type: 'decision', callId: 'c', decision: 'deny' },
      start: { type: 'start', callIds: ['c'] },
    };
    for (const outcome of outcomes)
      events[outcome] = { type: 'result', callId: 'c', outcome, result: errorResult('x') };
    const allowed = states.flatMap((state) =>
      Object.entries(events).flatMap(([name, event]) => {
        const next = after(call(state), event);
        return next === 'refused' ? [] : [`${state} + ${name} = ${next}`];
      }),
    );
    expect(allowed).toEqual([
      'asking + approve = due',
      'asking + deny = denied',
      'asking + cancelled = done',
      'denied + denied = done',
      'due + start = running',
      'due + refused = done',
      'due + cancelled = done',
      'running + succeeded = done',
      'running + failed = done',
      'running + uncertain = done',
      'page + succeeded = done',
      'page + failed = done',
      'page + refused = done',
      'page + cancelled = done',
    ]);
  });

  it('an approved page call waits for the page', () => {
    const event = { type: 'decision', callId: 'c', decision: 'approve' } as const;
    expect(after(call('asking', { runs: 'page' }), event)).toBe('page');
  });

  it.each(states.filter((state) => state !== 'done'))('closing fits a call that is %s', (state) => {
    expect(after(call(state), closing(call(state)))).toBe('done');
  });
});

describe('a transcript', () => {
  const message: OutsideEvent = { type: 'message', parts: [{ type: 'text', text: 'Hello' }] };
  const start: TurnEvent = { type: 'step.start', by: 'x/y' };
  const end: TurnEvent = { type: 'step.end', ended: 'whole', calls: [] };

  it.each<[string, (TurnEvent | OutsideEvent)[]]>([
    ['text without a step', [{ type: 'text', delta: 'x' }]],
    ['the end of a step that is not open', [message, end]],
    ['a step within a step', [start, start]],
    ['a message within a step', [start, message]],
    [
      'a result of no call',
      [start, end, { type: 'result', callId: 'x', outcome: 'failed', result: errorResult('x') }],
    ],
  ])('refuses %s', (_, events) => {
    const transcript = openTranscript();
    for (const event of events.slice(0, -1)) transcript.take(event);
    const before = JSON.stringify(transcript.entries);
    expect(() => transcript.take(events.at(-1) ?? start)).toThrow();
    expect(JSON.stringify(transcript.entries)).toBe(before);
  });

  it('refuses a message while a call lacks its result', () => {
    expect(() => talkWith(call('page')).take(message)).toThrow('while calls lack their results');
  });

  it('copies what was stored, and is read by id', () => {
    const stored = [{ role: 'assistant' as const, by: 'x/y', ended: 'whole' as const, parts: [call('due')] }];
    const transcript = openTranscript(stored);
    transcript.take({ type: 'start', callIds: ['c'] });
    expect(transcript.call('c')?.state).toBe('running');
    expect(stored[0]?.parts[0]?.state).toBe('due');
  });

  it('keeps reasoning blocks apart and their metadata with them', () => {
    const transcript = openTranscript();
    transcript.take(start);
    transcript.take({ type: 'reasoning.mark', key: 'a', metadata: { p: { id: 1 } } });
    transcript.take({ type: 'reasoning', key: 'a', delta: 'One' });
    transcript.take({ type: 'reasoning', key: 'b', delta: 'Two' });
    transcript.take({ type: 'reasoning', key: 'a', delta: ' more' });
    transcript.take({ type: 'reasoning.mark', key: 'a', metadata: { p: { id: 2 } } });
    transcript.take({ type: 'text', delta: 'So' });
    transcript.take({ type: 'text', delta: '.' });
    expect(transcript.lastStep?.parts).toEqual([
      { type: 'reasoning', key: 'a', text: 'One more', metadata: { p: { id: 2 } } },
      { type: 'reasoning', key: 'b', text: 'Two' },
      { type: 'text', text: 'So.' },
    ]);
  });
});
