import type { LanguageModelV3StreamPart } from '@ai-sdk/provider';
import { assert, array, integer, property, string } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseKeepable, wholeLetters } from './letters.ts';
import { scripted } from './models/scripted.ts';
import { eventsOf, saidIn, talkWith, toolsOf } from './testing/talk.ts';
import { callsOf } from './history.ts';

const LETTERS = 'õäöü € 漢字 👩‍🚀';

/** A model that streams these parts, once each. */
function streaming(...answers: LanguageModelV3StreamPart[][]) {
  const candidate = scripted([{ text: '.' }]);
  const doStream = async () => ({ stream: ReadableStream.from(answers.shift() ?? []) });
  return { candidates: [{ ...candidate, model: { ...candidate.model, doStream } }] };
}

const finish = (unified: 'stop' | 'tool-calls'): LanguageModelV3StreamPart => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: undefined, reasoning: undefined },
  },
});

describe('letters of a model', () => {
  it('C-03 are whole where a server cuts between UTF-16 units, and what is none is told as such', async () => {
    const delta = (text: string): LanguageModelV3StreamPart => ({ type: 'text-delta', id: '0', delta: text });
    const route = streaming([
      ...[...Array(LETTERS.length).keys()].map((at) => delta(LETTERS[at] ?? '')),
      delta('\0\udc00!'),
      finish('stop'),
    ]);
    const events = await eventsOf(talkWith([{ text: '.' }], { route }));
    expect(saidIn(events)).toBe(`${LETTERS}\ufffd\ufffd!`);
    for (const event of events) if (event.type === 'text') expect(event.delta).not.toMatch(/\p{Cs}/u);
  });

  it('C-03 of arguments can be kept', async () => {
    const input = String.raw`{"a\u0000": "x\u0000\ud800y", "b": ["👩‍🚀", "\ud83d\ude00"]}`;
    const call: LanguageModelV3StreamPart = { type: 'tool-call', toolCallId: 'c1', toolName: 'find', input };
    const turn = talkWith([{ text: '.' }], {
      route: streaming([call, finish('tool-calls')], [finish('stop')]),
      tools: [toolsOf({ find: { run: () => 'ok' } })],
    });
    await eventsOf(turn);
    const [made] = turn.transcript.entries.flatMap(callsOf);
    expect(made?.input).toEqual({ 'a\ufffd': 'x\ufffd\ufffdy', b: ['👩‍🚀', '😀'] });
  });

  it('are never changed where they are sound', () => {
    assert(
      property(string({ unit: 'grapheme' }), array(integer({ min: 0, max: 40 })), (text, cuts) => {
        if (/[\0\p{Cs}]/u.test(text)) return;
        const take = wholeLetters();
        const places = [
          0,
          ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((one, other) => one - other),
          text.length,
        ];
        const pieces = places.slice(1).map((end, at) => text.slice(places[at], end));
        expect(pieces.map(take).join('')).toBe(text);
        expect(parseKeepable(JSON.stringify({ [text]: [text] }))).toEqual({ [text]: [text] });
      }),
    );
  });
});
