import { afterEach, describe, expect, it } from 'vitest';
import { SvedaClient, SvedaToolRegistry, type ClientOptions, type FrontendTool } from './index.ts';
import { lines, refuses, scriptedServer, streams, turn, type Answer, type Draft } from './testing/server.ts';

const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function connected(script: Answer[], options: Partial<ClientOptions> = {}) {
  const server = await scriptedServer(script);
  const client = new SvedaClient({
    endpoints: { stream: server.stream },
    wait: async () => undefined,
    ...options,
  });
  open.push(client, server);
  return { server, client, session: client.session() };
}

const text = (delta: string): Draft => ({ type: 'text.delta', delta });
const call = (toolCallId: string, toolName: string, more: object = {}): Draft => ({
  type: 'tool.call',
  toolCallId,
  toolName,
  target: 'frontend',
  input: { n: toolCallId },
  ...more,
});
const result = (toolCallId: string, toolName: string, status = 'succeeded'): Draft =>
  ({ type: 'tool.result', toolCallId, toolName, status, content: [] }) as Draft;

function counting(name: string, more: Partial<FrontendTool> = {}) {
  const runs: unknown[] = [];
  const tool: FrontendTool = {
    name,
    description: 'Adds an item.',
    parameters: { type: 'object', properties: {} },
    handler: (input, { chatId, toolCallId }) => {
      runs.push({ input, chatId, toolCallId });
      return { added: toolCallId };
    },
    ...more,
  };
  return { runs, tool };
}

describe('a session', () => {
  it('SVE-41.1 builds its messages from the events of a turn', async () => {
    const { session, server } = await connected([
      streams(
        turn().segment([text('Hello '), text('there'), { type: 'chat.title', title: 'Greeting' }], 'stop'),
      ),
    ]);
    await session.send('Hi');
    expect(session.messages).toEqual([
      { role: 'user', text: 'Hi', files: [] },
      {
        role: 'assistant',
        turnId: 'turn-1',
        parts: [{ kind: 'text', text: 'Hello there' }],
        finishReason: 'stop',
      },
    ]);
    expect([session.status, session.chatId, session.state.title]).toEqual(['idle', 'chat-1', 'Greeting']);
    expect(server.received[0]?.body).toEqual({ message: { text: 'Hi' } });
  });

  it('SVE-40.1 reads the tools at each post, so that a later registration counts from the next one', async () => {
    const { session, client, server } = await connected([
      streams(turn('chat-1', 'a').segment([], 'stop')),
      streams(turn('chat-1', 'b').segment([], 'stop')),
    ]);
    await session.send('one');
    const unregister = client.tools.register(counting('late', { confirmation: 'required' }).tool);
    await session.send('two');
    unregister();
    expect(server.received.map(({ body }) => body.clientTools)).toEqual([
      undefined,
      [
        {
          name: 'late',
          description: 'Adds an item.',
          parameters: { type: 'object', properties: {} },
          confirmation: 'required',
        },
      ],
    ]);
    expect(client.tools.specs()).toEqual([]);
  });

  it('C-04 runs nine calls nine times and posts their results in one request, though each event comes twice', async () => {
    const ids = Array.from({ length: 9 }, (_, index) => `call-${index}`);
    const first = turn();
    const events = first.number([{ type: 'message.start' }, ...ids.map((id) => call(id, 'add_item'))]);
    const end = first.number([{ type: 'message.end', finishReason: 'tool_calls' }]);
    first.done();
    const { runs, tool } = counting('add_item');
    const tools = new SvedaToolRegistry();
    tools.register(tool);
    const { session, server, client } = await connected(
      [streams(`${lines(events)}${lines(events)}${lines(end)}data: [DONE]\n\n`), answersResults(ids, first)],
      { tools },
    );
    await session.send('add nine');
    await settled(session);
    expect(runs).toEqual(ids.map((id) => ({ input: { n: id }, chatId: 'chat-1', toolCallId: id })));
    expect(server.received.map(({ body }) => body.toolResults?.length)).toEqual([undefined, 9]);
    client.close();
  });

  it('C-04 gives a rebuilt client the result of a run that is still under way', async () => {
    let finish: (value: unknown) => void = () => undefined;
    const { tool } = counting('slow', { handler: () => new Promise((resolve) => (finish = resolve)) });
    const tools = new SvedaToolRegistry();
    tools.register(tool);
    const once = tools.run('slow', {}, { chatId: 'c', toolCallId: 't' });
    const again = tools.run('slow', {}, { chatId: 'c', toolCallId: 't' });
    finish({ done: true });
    expect(await Promise.all([once, again])).toEqual([
      { output: { done: true } },
      { output: { done: true } },
    ]);
  });

  it('SVE-41.2 turns a throw, undefined and what JSON cannot hold into results', async () => {
    const tools = new SvedaToolRegistry();
    const say = (name: string, handler: FrontendTool['handler']) =>
      tools.register({ ...counting(name).tool, handler });
    say('throws', () => {
      throw new Error('no selection');
    });
    say('nothing', () => undefined);
    say('cycle', () => {
      const self: Record<string, unknown> = {};
      self.self = self;
      return self;
    });
    const run = (name: string) => tools.run(name, {}, { chatId: 'c', toolCallId: name });
    expect(await run('throws')).toEqual({ error: 'no selection' });
    expect(await run('nothing')).toEqual({ output: null });
    expect(await run('cycle')).toEqual({ error: expect.stringContaining('circular') as string });
    expect(await run('unknown')).toEqual({ error: 'The page has no tool named unknown.' });
  });

  it('SVE-25.1 runs a confirmed handler only after its decision came back on the stream', async () => {
    const first = turn();
    const { runs, tool } = counting('wipe', { confirmation: 'required' });
    const tools = new SvedaToolRegistry();
    tools.register(tool);
    const decided: Draft = { type: 'tool.decision', toolCallId: 'c1', decision: 'approve' };
    const { session, server } = await connected(
      [
        streams(first.segment([call('c1', 'wipe', { confirmation: 'required' })], 'tool_calls')),
        streams(first.segment([decided], 'tool_calls')),
        streams(first.segment([result('c1', 'wipe'), text('Done.')], 'stop')),
      ],
      { tools },
    );
    await session.send('wipe it');
    expect(runs).toEqual([]);
    expect(session.pending.map(({ toolCallId }) => toolCallId)).toEqual(['c1']);
    await session.decide('c1', 'approve');
    await settled(session);
    expect(runs).toHaveLength(1);
    expect(
      server.received.map(({ body }) => Object.keys(body).filter((key) => key.startsWith('tool'))),
    ).toEqual([[], ['toolDecisions'], ['toolResults']]);
  });

  it('SVE-41.3 joins a cut stream again by the last event it saw, and takes no event twice', async () => {
    const first = turn();
    const head = first.number([{ type: 'message.start' }, text('first ')]);
    const tail = first.number([text('second'), { type: 'message.end', finishReason: 'stop' }]);
    const cut: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(lines(head), () => response.destroy());
    };
    const { session, server } = await connected([
      cut,
      streams(`${lines(head)}${lines(tail)}data: [DONE]\n\n`),
    ]);
    await session.send('go');
    expect(session.messages.at(-1)).toMatchObject({ parts: [{ kind: 'text', text: 'first second' }] });
    expect(server.received[1]).toMatchObject({
      method: 'GET',
      path: '/sveda/chats/chat-1/turns/turn-1/events',
    });
    expect(server.received[1]?.headers['last-event-id']).toBe('2');
  });

  it('SVE-40.2 renews the token once on 401, without losing the message', async () => {
    const tokens = ['old', 'new'];
    const { session, server } = await connected(
      [refuses(401, 'unauthorized'), streams(turn().segment([], 'stop'))],
      {
        getToken: async () => tokens.shift() ?? 'none',
      },
    );
    await session.send('Hi');
    expect(server.received.map(({ headers }) => headers['x-sveda-embed-token'])).toEqual(['old', 'new']);
    expect(session.status).toBe('idle');
  });

  it('SVE-41.4 obeys Retry-After, gives up after a few tries, and sends again when asked', async () => {
    const waits: number[] = [];
    const busy = refuses(429, 'too_many', { 'retry-after': '2' });
    const { session, server } = await connected(
      [busy, busy, busy, busy, streams(turn().segment([text('ok')], 'stop'))],
      {
        wait: async (milliseconds) => void waits.push(milliseconds),
      },
    );
    await session.send('Hi');
    expect(waits).toEqual([2_000, 2_000, 2_000]);
    expect(session.state.error).toEqual({
      code: 'too_many',
      message: 'It is too_many.',
      retryable: true,
    });
    await session.retry();
    expect(session.status).toBe('idle');
    expect(session.messages).toHaveLength(2);
    expect(server.received.map(({ body }) => body.message?.text)).toEqual(['Hi', 'Hi', 'Hi', 'Hi', 'Hi']);
  });

  it('SVE-41.5 does not post a message again when nobody knows whether it arrived', async () => {
    const { session, server } = await connected([(response) => void response.destroy()]);
    await session.send('once');
    expect(server.received).toHaveLength(1);
    expect(session.state.error).toMatchObject({ code: 'network', retryable: true });
  });
});

/** Answers the post of results: every call settled, then the end. */
function answersResults(ids: readonly string[], first: ReturnType<typeof turn>): Answer {
  return (response, received) => {
    void streams(first.segment([...ids.map((id) => result(id, 'add_item')), text('ok')], 'stop'))(
      response,
      received,
    );
  };
}

function settled(session: ReturnType<SvedaClient['session']>): Promise<void> {
  if (session.status === 'idle') return Promise.resolve();
  return new Promise((resolve) => {
    const off = session.on('state', ({ status }) => {
      if (status !== 'idle') return;
      off();
      resolve();
    });
  });
}
