import { describe, expect, it } from 'vitest';
import type { SvedaEvent } from '../events.ts';
import { createGrammar, readSegment } from './index.ts';

type Loose = { readonly type: string; readonly [field: string]: unknown };
const DONE = { type: '[DONE]' };

const start: Loose = { type: 'message.start' };
const text: Loose = { type: 'text.delta', delta: 'x' };
const progress: Loose = { type: 'tool.progress', toolCallId: 'a' };
const maxSteps: Loose = { type: 'max_steps', maxSteps: 30 };
const error: Loose = { type: 'error', code: 'e', message: 'm', retryable: true };
const end = (finishReason: string): Loose => ({ type: 'message.end', finishReason });
const call = (toolCallId: string, fields: object = {}): Loose => ({
  type: 'tool.call',
  toolCallId,
  toolName: 't',
  target: 'backend',
  input: {},
  ...fields,
});
const page = { target: 'frontend' };
const asked = { confirmation: 'required' };
const result = (toolCallId: string, status = 'succeeded'): Loose => ({
  type: 'tool.result',
  toolCallId,
  toolName: 't',
  status,
  content: [],
});
const decide = (toolCallId: string, decision: string): Loose => ({
  type: 'tool.decision',
  toolCallId,
  decision,
});

/** Whole turns that the grammar allows, each with what it shows. */
const journeys: Record<string, readonly Loose[]> = {
  'an answer': [start, text, text, end('stop'), DONE],
  'silence of the model': [start, end('stop'), DONE],
  'two free calls at once, then the answer': [
    start,
    text,
    call('a'),
    call('b'),
    progress,
    result('b'),
    result('a', 'failed'),
    text,
    end('stop'),
    DONE,
  ],
  'a page tool over two posts': [
    start,
    call('a', page),
    end('tool_calls'),
    DONE,
    start,
    result('a'),
    text,
    end('stop'),
    DONE,
  ],
  'free calls run while another waits, decisions in two posts and in reverse order': [
    start,
    call('a'),
    call('b', asked),
    call('c', asked),
    result('a'),
    end('tool_calls'),
    DONE,
    start,
    decide('c', 'deny'),
    result('c', 'denied'),
    end('tool_calls'),
    DONE,
    start,
    decide('b', 'approve'),
    result('b'),
    text,
    end('stop'),
    DONE,
  ],
  'a page tool that is approved first': [
    start,
    call('a', { ...page, ...asked }),
    end('tool_calls'),
    DONE,
    start,
    decide('a', 'approve'),
    end('tool_calls'),
    DONE,
    start,
    result('a'),
    end('stop'),
    DONE,
  ],
  'stop while calls run and wait': [
    start,
    call('a'),
    call('b', asked),
    call('c', page),
    result('a', 'uncertain'),
    result('b', 'cancelled'),
    result('c', 'cancelled'),
    end('stopped'),
    DONE,
  ],
  'the step limit, continued': [start, maxSteps, end('max_steps'), DONE, start, text, end('stop'), DONE],
  'an error, continued': [start, text, error, end('error'), DONE, start, text, end('stop'), DONE],
  'an error while a decision is open': [
    start,
    call('a'),
    call('b', asked),
    result('a', 'uncertain'),
    error,
    end('error'),
    DONE,
    start,
    decide('b', 'approve'),
    result('b'),
    text,
    end('stop'),
    DONE,
  ],
};

/** Orders that it refuses, each with the reason. */
const faults: Record<string, [readonly Loose[], string]> = {
  'output before the start': [[text], 'stands outside a segment'],
  'a start within a segment': [[start, start], 'not allowed when open'],
  'output after the end': [[start, end('stop'), text], 'stands outside a segment'],
  'a second segment without [DONE]': [[start, end('tool_calls')], 'stop or stopped is due'],
  'a segment after the answer': [[start, end('stop'), DONE, start], 'not allowed when over'],
  'a segment after stop': [[start, end('stopped'), DONE, start], 'not allowed when over'],
  '[DONE] within a segment': [[start, DONE], 'right after message.end'],
  '[DONE] twice': [[start, end('stop'), DONE, DONE], 'right after message.end'],
  'a result without its call': [[start, result('a')], 'call a is not open'],
  'a second result': [[start, call('a'), result('a'), result('a')], 'call a is not open'],
  'the same call twice': [[start, call('a'), result('a'), call('a')], 'call a was made before'],
  'a result before the decision': [[start, call('a', asked), result('a')], 'call a was not decided'],
  'a decision on a free call': [[start, call('a'), decide('a', 'approve')], 'waits for no decision'],
  'a second decision': [
    [start, call('a', asked), end('tool_calls'), DONE, start, decide('a', 'deny'), decide('a', 'approve')],
    'waits for no decision',
  ],
  'a denied call that ran': [
    [start, call('a', asked), end('tool_calls'), DONE, start, decide('a', 'deny'), result('a')],
    'succeeded does not fit deny',
  ],
  'an approved call that is denied': [
    [start, call('a', asked), end('tool_calls'), DONE, start, decide('a', 'approve'), result('a', 'denied')],
    'denied does not fit approve',
  ],
  'progress before the decision': [[start, call('a', asked), progress], 'call a is not running'],
  'progress of a denied call': [
    [start, call('a', asked), end('tool_calls'), DONE, start, decide('a', 'deny'), progress],
    'call a is not running',
  ],
  'text while a call is open': [[start, call('a'), text], 'speaks while calls are open'],
  'waiting while a call runs': [[start, call('a'), call('b', page), end('tool_calls')], 'lacks its result'],
  'waiting with a denial unanswered': [
    [start, call('a', asked), end('tool_calls'), DONE, start, decide('a', 'deny'), end('tool_calls')],
    'lacks its result',
  ],
  'waiting for nobody': [[start, call('a'), result('a'), end('tool_calls')], 'stop or stopped is due'],
  'an end that forgets a waiting call': [[start, call('a', page), end('stop')], 'tool_calls is due'],
  'stop that leaves a call open': [[start, call('a', page), end('stopped')], 'tool_calls is due'],
  'the step limit while calls are open': [[start, call('a', page), maxSteps], 'calls are open'],
  'the step limit without its end': [[start, maxSteps, end('stop')], 'max_steps is due'],
  'text after an error': [[start, error, text], 'only message.end may follow error'],
  'an end that hides an error': [[start, error, end('stop')], 'error is due'],
  'an error end without an error': [[start, end('error')], 'stop or stopped is due'],
};

function events(loose: readonly Loose[]): (SvedaEvent | typeof DONE)[] {
  let id = 0;
  return loose.map((one) =>
    one === DONE
      ? DONE
      : ({ ...one, id: ++id, chatId: 'c', turnId: 't', at: '2026-01-01T00:00:00Z' } as SvedaEvent),
  );
}

function play(list: readonly (SvedaEvent | typeof DONE)[]) {
  const grammar = createGrammar();
  for (const one of list) {
    if ('id' in one) grammar.take(one);
    else grammar.done();
  }
  return grammar;
}

describe('the grammar of a turn', () => {
  it.each(Object.keys(journeys))('SVE-11.2 allows %s', (name) => {
    expect(play(events(journeys[name] ?? [])).atRest).toBe(true);
  });

  it.each(Object.keys(faults))('SVE-11.2 refuses %s', (name) => {
    const [list, reason] = faults[name] ?? [[], ''];
    expect(() => play(events(list.slice(0, -1)))).not.toThrow();
    expect(() => play(events(list))).toThrow(reason);
  });

  it('SVE-11.2 refuses a gap, a repeat, another chat and another turn', () => {
    const [first, second] = events([start, text]) as [SvedaEvent, SvedaEvent];
    for (const wrong of [{ id: 3 }, { id: 1 }, { chatId: 'x' }, { turnId: 'x' }])
      expect(() => play([first, { ...second, ...wrong }])).toThrow();
    expect(() => play([second])).toThrow('id 1 is due');
  });

  it('SVE-11.2 refuses every allowed turn with one event taken out that others rest on', () => {
    const free = new Set(['text.delta', 'tool.progress']);
    const tolerated = Object.entries(journeys).flatMap(([name, list]) =>
      list
        .map((one, index) => ({ label: `${name}: ${index}`, one, rest: list.toSpliced(index, 1) }))
        .filter(({ one, rest }) => !free.has(one.type) && endsWell(rest))
        .map(({ label }) => label),
    );
    expect(tolerated).toEqual([]);
  });
});

function endsWell(list: readonly Loose[]): boolean {
  try {
    return play(events(list)).atRest;
  } catch {
    return false;
  }
}

describe('reading a stream', () => {
  const [event] = events([start]);
  const block = `id: 1\ndata: ${JSON.stringify(event)}\n\n`;

  it('takes events, heartbeats and [DONE]', () => {
    expect(readSegment(`: beat\n\n${block}data: [DONE]\n\n`)).toEqual({
      events: [event],
      done: true,
      comments: 1,
    });
  });

  it.each([
    ['an SSE id that is not the event id', block.replace('id: 1', 'id: 2')],
    ['an event without an SSE id', block.replace('id: 1\n', '')],
    ['an event that fits no schema', block.replace('message.start', 'message.begin')],
    ['an event after [DONE]', `data: [DONE]\n\n${block}`],
  ])('refuses %s', (_, body) => {
    expect(() => readSegment(body)).toThrow();
  });
});
