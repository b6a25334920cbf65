import { startModelServer, type ServerReply } from '@portolan/agent/testing';
import { describe, expect, it } from 'vitest';
import type { SvedaEvent } from '@sveda-ai/protocol';
import { callIn, closing, statusesIn } from '../testing/opened.ts';
import { toast } from '../testing/toast.ts';
import { testNodes, yamlFor } from '../testing/nodes.ts';
import { rawHost, type RawTool } from '../testing/raw-host.ts';
import { rawVisitor, readEvents, refusalOf } from '../testing/sveda.ts';

/** A turn with a call of the host and one of the page, whose stream is read in the background. */
async function begun(first: ServerReply, run: RawTool['run']) {
  const host = await rawHost({ fetch_it: { run } });
  const model = await startModelServer((_request, index) => (index === 0 ? first : { text: 'Going on.' }));
  const nodes = await testNodes(yamlFor(model), 1);
  closing(host);
  closing(model);
  closing(nodes);
  const origin = nodes.origins[0] ?? '';
  const headers = await nodes.mint({ visitor_id: 'v', host_mcp_url: host.url, host_mcp_token: 'bearer' });
  const visitor = rawVisitor(origin, headers['x-sveda-embed-token'] ?? '');
  const response = await visitor.post({ message: { text: 'Both' }, clientTools: [toast] });
  const seen = readingOf(response);
  const { chatId, turnId } = await seen.first((event) => event.type === 'message.start');
  return {
    host,
    model,
    visitor,
    chatId,
    seen,
    chat: () => visitor.chat(chatId),
    stop: () => visitor.stop({ chatId, turnId }),
  };
}

/** A stream as it comes in. */
function readingOf(response: Response) {
  const waiting: { wanted: (event: SvedaEvent) => boolean; resolve: (event: SvedaEvent) => void }[] = [];
  const events: SvedaEvent[] = [];
  const whole = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const complete = text.slice(0, text.lastIndexOf('\n\n') + 2);
      const all = complete.split('\n\n').filter((block) => block.startsWith('id: '));
      for (const block of all.slice(events.length)) {
        const event = JSON.parse(block.split('\ndata: ')[1] ?? '') as SvedaEvent;
        events.push(event);
        for (const { wanted, resolve } of waiting) if (wanted(event)) resolve(event);
      }
    }
    return readEvents(text);
  })();
  return {
    whole,
    async first(wanted: (event: SvedaEvent) => boolean): Promise<SvedaEvent> {
      return events.find(wanted) ?? (await new Promise((resolve) => waiting.push({ wanted, resolve })));
    },
  };
}

/** What providers refuse with 400: a call without its result right behind it, or a result without its call. */
function faultsOf(body: Readonly<Record<string, unknown>>): string[] {
  const messages = body.messages as { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[];
  let due: string[] = [];
  return messages.flatMap(({ role, tool_calls = [], tool_call_id = '' }) => {
    if (role === 'tool' && due.includes(tool_call_id)) {
      due = due.filter((id) => id !== tool_call_id);
      return [];
    }
    const faults = role === 'tool' ? [`a result without its call ${tool_call_id}`] : due;
    due = tool_calls.map(({ id }) => id);
    return faults;
  });
}

const both = [{ name: 'fetch_it', args: { id: 'x'.repeat(70) } }, { name: 'toast' }];

/** The chat goes on: the next message is answered, and what the model reads is well formed. */
async function goesOn({ model, visitor, chatId }: Awaited<ReturnType<typeof begun>>): Promise<void> {
  const next = await visitor.stream({ chatId, message: { text: 'go on' } });
  expect(next.at(-1)).toMatchObject({ finishReason: 'stop' });
  expect(model.requests).toHaveLength(2);
  expect(faultsOf(model.requests[1]?.body ?? {})).toEqual([]);
}

describe('C-05 a turn that is stopped in the middle of its calls', () => {
  it('while arguments stream: drops what is half written, keeps the text, and goes on', async () => {
    // The model falls silent in the middle of the arguments.
    let fallSilent = (): void => undefined;
    const silent = new Promise<void>((resolve) => (fallSilent = resolve));
    const before = (chunk: number): Promise<void> | undefined => {
      if (chunk < 8) return undefined;
      fallSilent();
      return new Promise(() => undefined);
    };
    const turn = await begun({ text: 'I will.', calls: both, before }, () => 'fetched');
    await turn.seen.first((event) => event.type === 'text.delta');
    await silent;
    await turn.stop();
    const events = await turn.seen.whole;
    expect(events.at(-1)).toMatchObject({ finishReason: 'stopped' });
    expect(events.filter(({ type }) => type === 'tool.call')).toEqual([]);
    expect((await turn.chat()).turns.map(({ status }) => status)).toEqual(['stopped']);
    await goesOn(turn);
    expect(turn.host.calls).toEqual([]);
  });

  it('after the calls and before a result: closes both as what they are, and goes on', async () => {
    const turn = await begun({ calls: both }, () => undefined);
    await turn.host.until(() => turn.host.calls.length === 1);
    await turn.stop();
    const events = await turn.seen.whole;
    expect(statusesIn(events)).toEqual({ fetch_it: 'uncertain', toast: 'cancelled' });
    // The page is loaded again: it reads what the stream said.
    expect((await turn.chat()).turns[0]?.events).toEqual(events);
    await goesOn(turn);
    expect(turn.host.calls).toHaveLength(1);
  });

  it('with one of two results in: keeps that one, and refuses the other when it comes after the stop', async () => {
    const turn = await begun({ calls: both }, () => 'fetched');
    const events = await turn.seen.whole;
    expect(statusesIn(events)).toEqual({ fetch_it: 'succeeded' });
    expect(events.at(-1)).toMatchObject({ finishReason: 'tool_calls' });
    await turn.stop();
    const stored = (await turn.chat()).turns[0];
    expect([stored?.status, statusesIn(stored?.events ?? [])]).toEqual([
      'stopped',
      { fetch_it: 'succeeded', toast: 'cancelled' },
    ]);
    const toolCallId = callIn(events, 'toast');
    const late = await turn.visitor.post({
      chatId: turn.chatId,
      toolResults: [{ toolCallId, output: 'late' }],
    });
    expect(await refusalOf(late)).toEqual([409, 'call_not_open']);
    expect(turn.model.requests).toHaveLength(1);
    await goesOn(turn);
    const told = JSON.stringify(turn.model.requests[1]?.body.messages);
    expect(told).toContain('fetched');
    expect(told).toContain('cancelled before it was sent');
  });
});
