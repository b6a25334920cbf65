import { describe, expect, it } from 'vitest';
import { eventsOf, outline, saidIn, talkOf, talkWith, toolsOf } from '../testing/talk.ts';
import { openTranscript } from '../transcript.ts';
import { readScript } from './reply.ts';
import { scripted } from './scripted.ts';

function say(turn: ReturnType<typeof talkWith>, text: string): void {
  turn.transcript.take({ type: 'message', parts: [{ type: 'text', text }] });
}

describe('a script', () => {
  it('SVE-33.3 is a YAML list of replies', () => {
    const script = readScript(
      [
        '- when: near',
        '  calls:',
        '    - name: harbour_search',
        '      args: { near: Tallinn }',
        '- text: Done.',
        '  delayMs: 5',
        '- fault: cut',
      ].join('\n'),
    );
    expect(script).toEqual([
      { when: 'near', calls: [{ name: 'harbour_search', args: { near: 'Tallinn' } }] },
      { text: 'Done.', delayMs: 5 },
      { fault: 'cut' },
    ]);
  });

  it.each([
    ['an unknown key, with its line', '- text: a\n- txt: b', 'talk.yaml:2 1: Unrecognized key: "txt"'],
    ['an unknown fault', '- fault: slow', 'talk.yaml:1 0.fault: Invalid option'],
    ['a call without a name', '- calls:\n    - args: {}', 'talk.yaml:2 0.calls.0.name'],
    ['a wrong pattern', '- when: "("\n  text: a', 'no regular expression'],
    ['a reply that does nothing', '- when: a', 'A reply says, thinks or calls something'],
    ['no list', 'text: a', 'expected array'],
    ['an empty list', '[]', 'at least one reply'],
    ['broken YAML', '- {', 'talk.yaml: '],
  ])('SVE-33.3 is refused for %s', (_, yaml, message) => {
    expect(() => readScript(yaml, 'talk.yaml')).toThrow(message);
  });
});

describe('the scripted model', () => {
  it('SVE-33.3 plays replies in order, over several messages', async () => {
    const turn = talkWith([{ text: 'One.' }, { calls: [{ name: 'find' }] }, { text: 'Three.' }], {
      tools: [toolsOf({ find: { run: () => 'two' } })],
    });
    expect(saidIn(await eventsOf(turn))).toBe('One.');
    say(turn, 'And?');
    expect(saidIn(await eventsOf(turn))).toBe('Three.');
  });

  it('SVE-33.3 chooses by the last message where a reply says when', async () => {
    const turn = talkWith([
      { when: '^bye', text: 'Goodbye.' },
      { text: 'Hello.' },
      { when: 'bye', text: 'Still here?' },
    ]);
    expect(saidIn(await eventsOf(turn))).toBe('Hello.');
    say(turn, 'Bye!');
    expect(saidIn(await eventsOf(turn))).toBe('Goodbye.');
    say(turn, 'bye bye');
    expect(saidIn(await eventsOf(turn))).toBe('Still here?');
  });

  it('SVE-33.3 running out is an error', async () => {
    const turn = talkWith([{ when: 'ships', text: 'Never.' }]);
    expect((await eventsOf(turn)).at(-1)).toMatchObject({
      reason: 'error',
      failure: { code: 'script_over', detail: 'Which harbours are near Tallinn?', retryable: false },
    });
  });

  it('goes on in another process from the talk alone', async () => {
    const replies = [{ text: 'One.' }, { text: 'Two.' }];
    const first = talkWith(replies);
    await eventsOf(first);
    const stored = JSON.parse(JSON.stringify(first.transcript.entries)) as typeof first.transcript.entries;
    const second = talkWith(replies, { transcript: openTranscript(stored) });
    say(second, 'And?');
    expect(saidIn(await eventsOf(second))).toBe('Two.');
  });

  it('plays two talks side by side without mixing them', async () => {
    const route = { candidates: [scripted([{ text: 'One.' }, { text: 'Two.' }])] };
    const said = [talkOf('a'), talkOf('b')].map((transcript) =>
      eventsOf(talkWith([{ text: '.' }], { route, transcript })),
    );
    expect((await Promise.all(said)).map(saidIn)).toEqual(['One.', 'One.']);
  });

  it('fires a fault before any output once, then goes on', async () => {
    const turn = talkWith([
      { fault: 'rate_limited' },
      { fault: 'overloaded' },
      { text: 'There.' },
      { text: 'Next.' },
    ]);
    expect(saidIn(await eventsOf(turn))).toBe('There.');
    say(turn, 'And?');
    expect(saidIn(await eventsOf(turn))).toBe('Next.');
  });

  it.each([
    ['cut', 'model_cut'],
    ['truncated', 'model_cut'],
    ['malformed', 'model_malformed'],
  ] as const)(
    'breaks off after the text with %s, and is continued by the next reply',
    async (fault, code) => {
      const turn = talkWith([{ text: 'Vana', fault }, { text: 'sadam.' }]);
      const events = await eventsOf(turn);
      expect(saidIn(events)).toBe('Vana');
      expect(events.at(-1)).toMatchObject({ failure: { code } });
      expect(saidIn(await eventsOf(turn))).toBe('sadam.');
    },
  );

  it('asks the next model of the route when it is unauthorized', async () => {
    const route = { candidates: [scripted([{ fault: 'unauthorized' }]), scripted([{ text: 'Second.' }])] };
    expect(saidIn(await eventsOf(talkWith([{ text: '.' }], { route })))).toBe('Second.');
  });

  it('waits before it answers, and no longer once it is stopped', async () => {
    const stop = new AbortController();
    const turn = talkWith([{ text: 'Never.', delayMs: 600_000 }], { signal: stop.signal });
    const events = eventsOf(turn);
    stop.abort();
    expect(outline(await events)).toEqual(['turn.end stopped']);
  });

  it('takes arguments from the newest result that has them', async () => {
    const inputs: unknown[] = [];
    const answers = [{ data: { bindingId: 'b1', list: [{ 'a/b': 7 }] } }, { data: { catalogId: 'c1' } }];
    const step = (args: Record<string, unknown> = {}) => ({ calls: [{ name: 'step', args }] });
    const turn = talkWith(
      [
        step(),
        step(),
        step({
          ids: { b: { $result: '/data/bindingId' }, c: { $result: '/data/catalogId' } },
          n: [{ $result: '/data/list/0/a~1b' }],
        }),
        step({ x: { $result: '/nowhere' } }),
      ],
      {
        tools: [
          toolsOf({
            step: {
              run: (input) => {
                inputs.push(input);
                const value = answers[inputs.length - 1] ?? {};
                return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
              },
            },
          }),
        ],
      },
    );
    const end = (await eventsOf(turn)).at(-1);
    expect(inputs).toEqual([{}, {}, { ids: { b: 'b1', c: 'c1' }, n: [7] }]);
    expect(end).toMatchObject({
      failure: { code: 'script_over', detail: 'Error: no tool result has /nowhere' },
    });
  });
});
