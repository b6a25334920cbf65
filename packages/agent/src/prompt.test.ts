import type { LanguageModelV3Prompt } from '@ai-sdk/provider';
import { assert, asyncProperty, constantFrom, integer, property, array } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closing } from './call-states.ts';
import type { Entry } from './history.ts';
import { openCalls } from './history.ts';
import { promptFor } from './prompt.ts';
import { scripted } from './models/scripted.ts';
import { eventsOf, saidIn, talkWith, toolsOf } from './testing/talk.ts';
import { openTranscript } from './transcript.ts';
import { runTurn } from './turn.ts';

const candidate = scripted([{ text: '.' }]);
const limits = { resultChars: 100, imageBytes: 100 };

function promptOf(entries: readonly Entry[], seeing = candidate): LanguageModelV3Prompt {
  return promptFor(seeing, 'You help.', entries, limits);
}

/** What a provider demands: every call is answered right after its message, in order, and nothing else is. */
function faultsOf(prompt: LanguageModelV3Prompt): string[] {
  const faults: string[] = [];
  for (const [index, message] of prompt.entries()) {
    if (message.role !== 'assistant') continue;
    if (message.content.length === 0) faults.push('an empty message');
    const calls = message.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []));
    const next = prompt[index + 1];
    const results =
      next?.role === 'tool'
        ? next.content.flatMap((part) => ('toolCallId' in part ? [part.toolCallId] : []))
        : [];
    if (String(calls) !== String(results))
      faults.push(`calls ${String(calls)} and results ${String(results)}`);
  }
  if (prompt.at(-1)?.role === 'assistant') faults.push('the last word is the model’s');
  return faults;
}

function step(
  parts: Extract<Entry, { role: 'assistant' }>['parts'],
  more: Partial<Extract<Entry, { role: 'assistant' }>> = {},
): Entry {
  return { role: 'assistant', by: 'scripted/script', ended: 'whole', parts, ...more };
}

const hello: Entry = { role: 'user', parts: [{ type: 'text', text: 'Hello' }] };

/** A turn that has everything: parallel calls, a refusal, a decision, a page result, text around them. */
function richTurn() {
  return talkWith(
    [
      {
        reasoning: 'Hm.',
        text: 'First.',
        calls: [{ name: 'find' }, { name: 'nothing' }, { name: 'drop' }, { name: 'toast' }],
      },
      { text: 'Then.', calls: [{ name: 'find' }, { name: 'find' }] },
      { text: 'Done.' },
    ],
    {
      tools: [
        toolsOf({
          find: { run: () => 'ok' },
          drop: { confirmation: 'required', run: () => 'ok' },
          toast: { runs: 'page' },
        }),
      ],
    },
  );
}

describe('the history that a provider is handed', () => {
  it('C-05 is well-formed wherever the run is cut, and goes on to the end', async () => {
    await assert(
      asyncProperty(integer({ min: 0, max: 40 }), constantFrom('killed', 'stopped'), async (cut, how) => {
        const stop = new AbortController();
        const turn = { ...richTurn(), signal: stop.signal };
        let seen = 0;
        for await (const event of runTurn(turn)) {
          if (event.type === 'turn.end' || seen++ !== cut) continue;
          if (how === 'killed') break;
          stop.abort();
        }
        expect(faultsOf(promptOf(turn.transcript.entries))).toEqual([]);
        const stored = JSON.parse(JSON.stringify(turn.transcript.entries)) as Entry[];
        const again = { ...richTurn(), transcript: openTranscript(stored) };
        for (let run = 0; run < 8; run += 1) {
          for (const call of openCalls(again.transcript.lastStep))
            if (call.state === 'page') again.transcript.take(closing(call));
            else if (call.state === 'asking')
              again.transcript.take({ type: 'decision', callId: call.callId, decision: 'approve' });
          const events = await eventsOf(again);
          expect(faultsOf(promptOf(again.transcript.entries))).toEqual([]);
          if (saidIn(events).endsWith('Done.') || events.at(-1)?.type !== 'turn.end') return;
          if (events.some((event) => event.type === 'turn.end' && event.reason === 'answered')) return;
        }
        throw new Error('the turn never came to its end');
      }),
      { numRuns: 40 },
    );
  });

  it('is well-formed for any entries at all', () => {
    const entries = constantFrom<Entry>(
      hello,
      step([]),
      step([{ type: 'text', text: '' }], { ended: 'cut' }),
      step([{ type: 'text', text: 'Half' }], { ended: 'stopped' }),
      step([{ type: 'reasoning', key: '0', text: 'Hm.' }], { ended: 'open' }),
      step([
        { type: 'text', text: 'a' },
        { type: 'call', callId: 'c1', name: 'find', input: {}, runs: 'here', state: 'running' },
        { type: 'call', callId: 'c2', name: 'find', input: {}, runs: 'page', state: 'page' },
      ]),
    );
    assert(
      property(array(entries, { maxLength: 12 }), (list) => {
        expect(faultsOf(promptOf(list))).toEqual([]);
      }),
    );
  });

  it('shows structured content once, then what else the tool said', () => {
    const [text] = outputs({
      structuredContent: { a: 1 },
      content: [
        { type: 'text', text: '{ "a": 1 }' },
        { type: 'text', text: 'As asked.' },
        { type: 'resource_link', uri: 'file:///a', name: 'A' },
      ],
    });
    expect(text).toEqual({ type: 'text', value: '{"a":1}\nAs asked.\n[Resource A: file:///a]' });
  });

  it('cuts a long result between letters and says so', () => {
    const [text] = outputs({ content: [{ type: 'text', text: 'x'.repeat(99) + '🚢🚢' }] });
    expect(text).toEqual({ type: 'text', value: `${'x'.repeat(99)}\n[4 more characters were cut off.]` });
  });

  it('shows the newest images up to the limit, and tells of the others in words', () => {
    const image = (bytes: number) => ({
      type: 'image' as const,
      mimeType: 'image/png',
      data: Buffer.alloc(bytes).toString('base64'),
    });
    const found = outputs({ content: [image(60)] }, { content: [image(60)] }, { content: [image(30)] });
    expect(found.map((output) => output?.type)).toEqual(['text', 'content', 'content']);
    expect(found[0]).toEqual({
      type: 'text',
      value: '[The tool produced image/png, 60 bytes. You cannot see or hear it.]',
    });
  });

  it('tells a model that cannot see of images in messages', () => {
    const entry: Entry = { role: 'user', parts: [{ type: 'image', mediaType: 'image/png', data: 'AAAA' }] };
    expect(promptOf([entry])[1]?.content).toEqual([{ type: 'file', mediaType: 'image/png', data: 'AAAA' }]);
    expect(promptOf([entry], { ...candidate, images: false })[1]?.content).toEqual([
      { type: 'text', text: '[An image (image/png) was sent along. You cannot see it.]' },
    ]);
  });

  it('keeps metadata and reasoning from every model but the one that wrote them', () => {
    const metadata = { openai: { itemId: 'rs_1' } };
    const parts = [
      { type: 'reasoning' as const, key: '0', text: 'Hm.', metadata },
      { type: 'text' as const, text: 'So.' },
    ];
    expect(promptOf([hello, step(parts), hello])[2]?.content).toHaveLength(2);
    expect(promptOf([hello, step(parts, { by: 'openai/other' }), hello])[2]?.content).toEqual([
      { type: 'text', text: 'So.' },
    ]);
    expect(promptOf([hello, step(parts, { ended: 'cut' }), hello])[2]?.content).toEqual([
      { type: 'text', text: 'So.' },
    ]);
  });

  it('marks what a tool said, cut to its length, and none of our own words', () => {
    const call = (outcome: 'succeeded' | 'failed' | 'refused' | 'uncertain') => ({
      type: 'call' as const,
      callId: outcome,
      name: 'find',
      input: {},
      runs: 'here' as const,
      state: 'done' as const,
      outcome,
      result: {
        content: [{ type: 'text' as const, text: 'x'.repeat(101) }],
        isError: outcome !== 'succeeded',
      },
    });
    const entries = [hello, step([call('succeeded'), call('failed'), call('refused'), call('uncertain')])];
    const prompt = promptFor(candidate, 'You help.', entries, limits, (text) => `<${text}>`);
    const said = `${'x'.repeat(100)}\n[1 more characters were cut off.]`;
    expect(prompt.at(-1)?.content).toMatchObject([
      { output: { type: 'text', value: `<${said}>` } },
      { output: { type: 'error-text', value: `<${said}>` } },
      { output: { value: said } },
      { output: { value: said } },
    ]);
  });
});

/** The outputs that a provider sees for calls with these results. */
function outputs(
  ...results: NonNullable<
    Extract<Extract<Entry, { role: 'assistant' }>['parts'][number], { type: 'call' }>['result']
  >[]
) {
  const calls = results.map((result, index) => ({
    type: 'call' as const,
    callId: `c${index}`,
    name: 'find',
    input: {},
    runs: 'here' as const,
    state: 'done' as const,
    result,
  }));
  const tool = promptOf([hello, step(calls)]).find((message) => message.role === 'tool');
  return tool?.role === 'tool'
    ? tool.content.map((part) => ('output' in part ? part.output : undefined))
    : [];
}
