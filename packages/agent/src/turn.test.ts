import { describe, expect, it } from 'vitest';
import { callsOf, type Call } from './history.ts';
import type { TurnEvent } from './events.ts';
import { eventsOf, outline, saidIn, talkOf, talkWith, toolsOf } from './testing/talk.ts';
import type { StreamingModel } from './route.ts';
import { runTurn } from './turn.ts';

/** A promise and the function that keeps it. */
function gate() {
  let open = () => {};
  const passed = new Promise<void>((resolve) => (open = resolve));
  return { passed, open };
}

/** The calls of the last step, in the model's order. */
function calls(transcript: { lastStep: Parameters<typeof callsOf>[0] }): Call[] {
  return callsOf(transcript.lastStep);
}

const asked = { confirmation: 'required' } as const;
const page = { runs: 'page' } as const;

describe('a turn', () => {
  it('ends when the model has answered and calls nothing', async () => {
    const turn = talkWith([{ reasoning: 'Ports.', text: 'Vanasadam and Muuga.' }]);
    const events = await eventsOf(turn);
    expect(outline(events)).toEqual(['step.start', 'step.end whole', 'turn.end answered']);
    expect(saidIn(events)).toBe('Vanasadam and Muuga.');
    expect(turn.transcript.entries.at(-1)).toEqual({
      role: 'assistant',
      by: 'scripted/script',
      ended: 'whole',
      parts: [
        { type: 'reasoning', key: 'reasoning', text: 'Ports.' },
        { type: 'text', text: 'Vanasadam and Muuga.' },
      ],
    });
  });

  it('hands each result to the next model call', async () => {
    const turn = talkWith(
      [
        { calls: [{ name: 'find', args: { near: 'Tallinn' } }] },
        { calls: [{ name: 'get', args: { id: { $result: '/id' } } }] },
        { text: 'There.' },
      ],
      {
        tools: [
          toolsOf({ find: { run: () => '{"id":"EETLL"}' }, get: { run: ({ id }) => `got ${String(id)}` } }),
        ],
      },
    );
    const events = await eventsOf(turn);
    expect(saidIn(events)).toBe('There.');
    expect(events.flatMap((event) => (event.type === 'result' ? [event.result.content] : []))).toEqual([
      [{ type: 'text', text: '{"id":"EETLL"}' }],
      [{ type: 'text', text: 'got EETLL' }],
    ]);
  });

  it('SVE-14.1 runs the free calls of a step at once, whatever the others wait for', async () => {
    const both = gate();
    let running = 0;
    const run = async () => {
      if (++running === 2) both.open();
      await both.passed;
      return 'ok';
    };
    const turn = talkWith([{ calls: ['read_a', 'delete_c', 'toast', 'read_b'].map((name) => ({ name })) }], {
      tools: [toolsOf({ read_a: { run }, read_b: { run }, delete_c: { ...asked, run }, toast: page })],
    });
    const events = await eventsOf(turn);
    const [a, c, t, b] = calls(turn.transcript).map(({ callId }) => callId);
    expect(outline(events)).toEqual([
      'step.start',
      'step.end whole',
      `start ${a} ${b}`,
      `result ${a} succeeded`,
      `result ${b} succeeded`,
      'turn.end waiting',
    ]);
    expect(calls(turn.transcript).map(({ callId, state }) => [callId, state])).toEqual([
      [a, 'done'],
      [c, 'asking'],
      [t, 'page'],
      [b, 'done'],
    ]);
    expect(running).toBe(2);
  });

  it("SVE-14.3 keeps the model's order in history, whoever is done first", async () => {
    const slow = gate();
    const turn = talkWith([{ calls: [{ name: 'slow' }, { name: 'quick' }] }, { text: 'Done.' }], {
      tools: [
        toolsOf({
          slow: { run: () => slow.passed },
          quick: { run: () => 'quick' },
        }),
      ],
    });
    const order: string[] = [];
    await eventsOf(turn, (event) => {
      if (event.type !== 'result') return;
      order.push(event.callId);
      slow.open();
    });
    const step = turn.transcript.entries[1];
    expect(callsOf(step).map(({ name }) => name)).toEqual(['slow', 'quick']);
    expect(callsOf(step).map(({ callId }) => callId)).toEqual(order.toReversed());
  });

  it('C-06 goes on once every decision and result is in, in any order and over several runs', async () => {
    const ran: string[] = [];
    const run = (name: string) => () => {
      ran.push(name);
      return name;
    };
    const turn = talkWith(
      [{ calls: ['keep', 'drop', 'toast'].map((name) => ({ name })) }, { text: 'All done.' }],
      {
        tools: [
          toolsOf({
            keep: { ...asked, run: run('keep') },
            drop: { ...asked, run: run('drop') },
            toast: page,
          }),
        ],
      },
    );
    await eventsOf(turn);
    const [keep, drop, toast] = calls(turn.transcript).map(({ callId }) => callId) as [
      string,
      string,
      string,
    ];
    turn.transcript.take({ type: 'decision', callId: drop, decision: 'deny', reason: 'Too much.' });
    expect(outline(await eventsOf(turn))).toEqual([`result ${drop} denied`, 'turn.end waiting']);
    turn.transcript.take({ type: 'decision', callId: keep, decision: 'approve' });
    expect(outline(await eventsOf(turn))).toEqual([
      `start ${keep}`,
      `result ${keep} succeeded`,
      'turn.end waiting',
    ]);
    turn.transcript.take({
      type: 'result',
      callId: toast,
      outcome: 'succeeded',
      result: { content: [{ type: 'text', text: 'shown' }] },
    });
    expect(saidIn(await eventsOf(turn))).toBe('All done.');
    expect(ran).toEqual(['keep']);
    expect(callsOf(turn.transcript.entries[1]).map(({ outcome }) => outcome)).toEqual([
      'succeeded',
      'denied',
      'succeeded',
    ]);
    expect(callsOf(turn.transcript.entries[1])[1]?.result?.content).toEqual([
      { type: 'text', text: 'The user denied this call. It was not sent. Their reason: Too much.' },
    ]);
  });

  it('SVE-23.1 an approved page call waits for its result, and no source is asked', async () => {
    let ran = 0;
    const turn = talkWith([{ calls: [{ name: 'toast' }] }, { text: 'Shown.' }], {
      tools: [toolsOf({ toast: { ...asked, ...page, run: () => ++ran } })],
    });
    await eventsOf(turn);
    const callId = calls(turn.transcript)[0]?.callId ?? '';
    turn.transcript.take({ type: 'decision', callId, decision: 'approve' });
    expect(outline(await eventsOf(turn))).toEqual(['turn.end waiting']);
    expect(ran).toBe(0);
  });
});

describe('a call at fault (SVE-14.2)', () => {
  it.each([
    ['an unknown tool', { name: 'nothing' }, 'refused', 'There is no tool named "nothing".'],
    [
      'arguments that do not fit',
      { name: 'find', args: { far: 1 } },
      'refused',
      "The arguments do not fit the tool's schema: near is missing",
    ],
    [
      'a refusal of the tool',
      { name: 'find', args: { near: 'refuse' } },
      'failed',
      'Atlantis is not a place.',
    ],
    [
      'an error of the tool, whose text stays with us',
      { name: 'find', args: { near: 'throw' } },
      'failed',
      'The tool failed.',
    ],
    ['an error result', { name: 'find', args: { near: 'isError' } }, 'failed', 'No such place.'],
  ])('gives the model an error result: %s', async (_, call, outcome, text) => {
    const observed: unknown[] = [];
    const find = ({ near }: Readonly<Record<string, unknown>>) => {
      if (near === 'refuse') throw Object.assign(new Error('Atlantis is not a place.'), { name: 'Refusal' });
      if (near === 'throw') throw new Error('password=hunter2');
      return { isError: true, content: [{ type: 'text', text: 'No such place.' }] };
    };
    const turn = talkWith([{ calls: [call] }, { text: 'I see.' }], {
      tools: [toolsOf({ find: { run: find } })],
      validate: (_schema, input) => ('near' in input ? undefined : 'near is missing'),
      observe: (error) => observed.push(error),
    });
    const events = await eventsOf(turn);
    const results = events.filter((event) => event.type === 'result');
    expect(results).toEqual([
      expect.objectContaining({ outcome, result: { isError: true, content: [{ type: 'text', text }] } }),
    ]);
    expect(saidIn(events)).toBe('I see.');
    expect(observed.map(String)).toEqual(text === 'The tool failed.' ? ['Error: password=hunter2'] : []);
  });

  it('SVE-14.5 asks nobody for a decision or a result on arguments that do not fit', async () => {
    const turn = talkWith([{ calls: [{ name: 'drop' }, { name: 'toast' }] }, { text: 'I see.' }], {
      tools: [toolsOf({ drop: asked, toast: page })],
      validate: () => 'wrong',
    });
    expect(outline(await eventsOf(turn)).filter((line) => line.startsWith('result'))).toEqual([
      expect.stringContaining('refused'),
      expect.stringContaining('refused'),
    ]);
  });

  it.each([
    ['half an object', '{"near": "Tal', 'The arguments are not a JSON object: {"near": "Tal'],
    ['a list', '["Tallinn"]', 'The arguments are not a JSON object: ["Tallinn"]'],
    ['null', 'null', 'The arguments are not a JSON object: null'],
    ['nothing, which is an empty object', '', 'ran {}'],
  ])('arguments may be %s', async (_, input, text) => {
    const [scriptedModel] = talkWith([{ calls: [{ name: 'find' }] }, { text: 'I see.' }]).route.candidates;
    if (!scriptedModel) throw new Error('there is a model');
    const model: StreamingModel = {
      ...scriptedModel.model,
      async doStream(options) {
        const { stream } = await scriptedModel.model.doStream(options);
        const parts = [];
        for await (const part of stream) parts.push(part.type === 'tool-call' ? { ...part, input } : part);
        return { stream: ReadableStream.from(parts) };
      },
    };
    const turn = talkWith([{ text: '.' }], {
      route: { candidates: [{ ...scriptedModel, model }] },
      tools: [toolsOf({ find: { run: (given) => `ran ${JSON.stringify(given)}` } })],
    });
    const events = await eventsOf(turn);
    expect(events.flatMap((event) => (event.type === 'result' ? event.result.content : []))).toEqual([
      { type: 'text', text },
    ]);
    expect(saidIn(events)).toBe('I see.');
  });

  it('runs only so many calls of one step, and tells of the others', async () => {
    let ran = 0;
    const turn = talkWith(
      [{ calls: Array.from({ length: 5 }, () => ({ name: 'find' })) }, { text: 'I see.' }],
      {
        tools: [toolsOf({ find: { run: () => ++ran } })],
        limits: { callsPerStep: 3 },
      },
    );
    await eventsOf(turn);
    expect(ran).toBe(3);
    expect(callsOf(turn.transcript.entries[1]).map(({ outcome }) => outcome)).toEqual(
      ['refused', 'refused', 'succeeded', 'succeeded', 'succeeded'].toSorted().toReversed(),
    );
  });

  it.each([
    ['is gone', {}],
    ['asks for confirmation now', { drop: asked }],
    ['runs elsewhere now', { drop: page }],
  ])('is not sent after all when its tool %s', async (_, now) => {
    const turn = talkWith([{ calls: [{ name: 'drop' }] }, { text: 'I see.' }]);
    const before = { ...turn, tools: [toolsOf({ drop: { run: () => 'never' } })] };
    for await (const event of runTurn(before)) if (event.type === 'step.end') break;
    expect(outline(await eventsOf({ ...turn, tools: [toolsOf(now)] }))[0]).toMatch(/^result \S+ refused$/);
  });

  it('ends after its time, its effect uncertain, even when its tool does not listen', async () => {
    let aborted = false;
    const turn = talkWith([{ calls: [{ name: 'sleep' }] }, { text: 'I see.' }], {
      limits: { callMs: 5, graceMs: 5 },
      tools: [
        toolsOf({
          sleep: {
            run: (_, { signal }) => {
              signal.addEventListener('abort', () => (aborted = true));
              return new Promise(() => {});
            },
          },
        }),
      ],
    });
    const events = await eventsOf(turn);
    expect(outline(events)).toContainEqual(expect.stringMatching(/^result \S+ uncertain$/));
    expect(outline(events).at(-1)).toBe('turn.end answered');
    expect(aborted).toBe(true);
  });
});

describe('limits and stop rules', () => {
  const looping = Array.from({ length: 6 }, () => ({ calls: [{ name: 'find' }] }));
  const tools = [toolsOf({ find: { run: () => 'again' } })];

  it('SVE-14.4 ends with max_steps at the limit and can be continued', async () => {
    const turn = talkWith([...looping, { text: 'At last.' }], { tools, limits: { steps: 3 } });
    const first = await eventsOf(turn);
    expect(first.filter(({ type }) => type === 'step.start')).toHaveLength(3);
    expect(outline(first).at(-1)).toBe('turn.end max_steps');
    expect(outline(await eventsOf(turn)).at(-1)).toBe('turn.end max_steps');
    expect(saidIn(await eventsOf(turn))).toBe('At last.');
  });

  it('SVE-14.4 counts the steps of earlier runs', async () => {
    const turn = talkWith(looping, { tools, limits: { steps: 3 }, stepsTaken: 2 });
    expect((await eventsOf(turn)).filter(({ type }) => type === 'step.start')).toHaveLength(1);
  });

  it('takes thirty steps by default', async () => {
    const turn = talkWith(
      Array.from({ length: 31 }, () => ({ calls: [{ name: 'find' }] })),
      { tools },
    );
    const events = await eventsOf(turn);
    expect(events.filter(({ type }) => type === 'step.start')).toHaveLength(30);
  });

  it("asks the app's own rules before each model call", async () => {
    const turn = talkWith(looping, { tools, stop: [({ steps }) => (steps === 2 ? 'paused' : undefined)] });
    expect(outline(await eventsOf(turn)).at(-1)).toBe('turn.end paused');
  });
});

describe('stopping', () => {
  it('in the middle of an answer keeps the text and ends the model call', async () => {
    const stop = new AbortController();
    const turn = talkWith([{ text: 'Vanasadam, Muuga', fault: 'stall' }], { signal: stop.signal });
    const events = await eventsOf(turn, (event) => {
      if (event.type === 'text' && event.delta.includes('Muuga')) stop.abort();
    });
    expect(outline(events)).toEqual(['step.start', 'step.end stopped', 'turn.end stopped']);
    expect(turn.transcript.lastStep).toMatchObject({
      parts: [{ text: 'Vanasadam, Muuga' }],
      ended: 'stopped',
    });
  });

  it('C-05 leaves no call open: those that ran are uncertain, the others were never sent', async () => {
    const stop = new AbortController();
    let heard = false;
    const turn = talkWith(
      [{ calls: ['sleep', 'drop', 'toast'].map((name) => ({ name })) }, { text: 'Going on.' }],
      {
        signal: stop.signal,
        tools: [
          toolsOf({
            drop: asked,
            toast: page,
            sleep: {
              run: (_, { signal }) =>
                new Promise((_resolve, reject) => {
                  signal.addEventListener('abort', () => {
                    heard = true;
                    reject(new Error('aborted'));
                  });
                  stop.abort();
                }),
            },
          }),
        ],
      },
    );
    const events = await eventsOf(turn);
    const [sleep, drop, toast] = calls(turn.transcript).map(({ callId }) => callId);
    expect(outline(events).slice(2)).toEqual([
      `start ${sleep}`,
      `result ${sleep} uncertain`,
      `result ${drop} cancelled`,
      `result ${toast} cancelled`,
      'turn.end stopped',
    ]);
    expect(heard).toBe(true);
    turn.transcript.take({ type: 'message', parts: [{ type: 'text', text: 'go on' }] });
    const again = { ...turn, signal: new AbortController().signal };
    expect(saidIn(await eventsOf(again))).toBe('Going on.');
  });

  it('keeps a result that came all the same', async () => {
    const stop = new AbortController();
    const run = () => {
      stop.abort();
      return 'in time';
    };
    const turn = talkWith([{ calls: [{ name: 'find' }] }], {
      signal: stop.signal,
      tools: [toolsOf({ find: { run } })],
    });
    expect(outline(await eventsOf(turn)).slice(3)).toEqual([
      expect.stringMatching(/^result \S+ succeeded$/),
      'turn.end stopped',
    ]);
  });

  it('before the start asks nobody', async () => {
    const turn = talkWith([{ text: 'Never.' }], { signal: AbortSignal.abort() });
    expect(outline(await eventsOf(turn))).toEqual(['turn.end stopped']);
  });

  it('is what leaving the iteration early does to running calls', async () => {
    const ended = gate();
    const turn = talkWith([{ calls: [{ name: 'sleep' }] }], {
      tools: [
        toolsOf({
          sleep: {
            run: (_, { signal, progress }) => {
              signal.addEventListener('abort', ended.open);
              progress({ message: 'running' });
              return new Promise(() => {});
            },
          },
        }),
      ],
    });
    for await (const event of runTurn(turn)) if (event.type === 'progress') break;
    await ended.passed;
  });
});

describe('a run that was killed', () => {
  const tools = [toolsOf({ pay: { run: () => 'paid' } })];

  it('never sends a running call again, and goes on', async () => {
    let paid = 0;
    const turn = talkWith([{ calls: [{ name: 'pay' }] }, { text: 'Unclear.' }], {
      tools: [toolsOf({ pay: { run: () => ++paid } })],
    });
    for await (const event of runTurn(turn)) if (event.type === 'start') break;
    const events = await eventsOf(turn);
    expect(outline(events)[0]).toMatch(/^result \S+ uncertain$/);
    expect(saidIn(events)).toBe('Unclear.');
    expect(paid).toBe(0);
  });

  it('sends a call that was not started', async () => {
    const turn = talkWith([{ calls: [{ name: 'pay' }] }, { text: 'Paid.' }], { tools });
    for await (const event of runTurn(turn)) if (event.type === 'step.end') break;
    expect(outline(await eventsOf(turn)).slice(0, 2)).toEqual([
      expect.stringMatching(/^start/),
      expect.stringMatching(/succeeded$/),
    ]);
  });

  it('cuts a step that was open and lets the model go on from its text', async () => {
    const turn = talkWith([{ text: 'Vanasadam and' }, { text: ' Muuga.' }], { tools });
    for await (const event of runTurn(turn)) if (event.type === 'text') break;
    const events = await eventsOf(turn);
    expect(outline(events).slice(0, 2)).toEqual(['step.end cut', 'step.start']);
    expect(turn.transcript.entries.map((entry) => entry.role)).toEqual(['user', 'assistant', 'assistant']);
  });
});

describe('the contract with the consumer', () => {
  it('does nothing further until the next event is asked for', async () => {
    let ran = 0;
    const turn = talkWith([{ calls: [{ name: 'find' }] }, { text: 'Done.' }], {
      tools: [toolsOf({ find: { run: () => ++ran } })],
    });
    const run = runTurn(turn);
    let event: TurnEvent | undefined;
    while (event?.type !== 'start') event = (await run.next()).value ?? event;
    await new Promise((resolve) => setImmediate(resolve));
    expect(ran).toBe(0);
    expect(calls(turn.transcript)[0]?.state).toBe('running');
    await run.next();
    expect(ran).toBe(1);
    await run.return();
  });

  it('passes progress on while other calls run, and none after the result', async () => {
    const told = gate();
    const late: (() => void)[] = [];
    const turn = talkWith([{ calls: [{ name: 'work' }, { name: 'wait' }] }, { text: 'Done.' }], {
      tools: [
        toolsOf({
          wait: { run: () => told.passed },
          work: {
            run: (_, { progress }) => {
              progress({ message: 'half', progress: 1, total: 2 });
              late.push(() => progress({ message: 'too late' }));
              return 'ok';
            },
          },
        }),
      ],
    });
    const events = await eventsOf(turn, (event) => {
      if (event.type === 'result') for (const call of late) call();
      if (event.type === 'progress') told.open();
    });
    expect(events.filter(({ type }) => type === 'progress')).toEqual([
      { type: 'progress', callId: expect.any(String), message: 'half', progress: 1, total: 2 },
    ]);
  });

  it('never throws: a fault of ours is the last event and reaches the log', async () => {
    const observed: unknown[] = [];
    const turn = talkWith([{ calls: [{ name: 'find' }] }], {
      tools: [toolsOf({ find: { run: () => 1 } })],
      validate: () => {
        throw new Error('validator broke');
      },
      observe: (error) => observed.push(error),
    });
    expect((await eventsOf(turn)).at(-1)).toMatchObject({
      type: 'turn.end',
      reason: 'error',
      failure: { code: 'internal', retryable: false },
    });
    expect(observed.map(String)).toEqual(['Error: validator broke']);
  });

  it('says so when the tools cannot be listed', async () => {
    const turn = talkWith([{ text: 'Never.' }], {
      tools: [{ list: () => Promise.reject(new Error('down')), call: () => Promise.reject(new Error()) }],
      observe: () => {},
    });
    expect(await eventsOf(turn)).toEqual([
      expect.objectContaining({
        reason: 'error',
        failure: expect.objectContaining({ code: 'tools_unavailable' }),
      }),
    ]);
  });

  it('takes the first source that offers a name', async () => {
    const turn = talkWith([{ calls: [{ name: 'find' }] }, { text: 'Done.' }], {
      tools: [toolsOf({ find: { run: () => 'first' } }), toolsOf({ find: { run: () => 'second' } })],
    });
    const events = await eventsOf(turn);
    expect(events.flatMap((event) => (event.type === 'result' ? event.result.content : []))).toEqual([
      { type: 'text', text: 'first' },
    ]);
  });

  it('adds up the tokens of the run', async () => {
    const turn = talkWith([{ text: 'Twelve chars' }]);
    const end = (await eventsOf(turn)).at(-1);
    expect(end).toMatchObject({ usage: { outputTokens: 3 } });
    expect(talkOf('x').entries).toHaveLength(1);
  });
});
