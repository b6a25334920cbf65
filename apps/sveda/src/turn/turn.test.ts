import { afterEach, describe, expect, it } from 'vitest';
import type { SvedaEvent } from '@sveda-ai/protocol';
import { callIn } from '../testing/opened.ts';
import { firstEvent } from '../testing/streams.ts';
import { post, rawVisitor, readEvents, refusalOf, testSveda } from '../testing/sveda.ts';

type Server = Awaited<ReturnType<typeof testSveda>>;
let server: Server;
afterEach(() => server.close());

const highlight = {
  name: 'highlight',
  description: 'Marks a harbour.',
  parameters: { type: 'object', properties: { name: { type: 'string' } } },
};
const wipe = { ...highlight, name: 'wipe', confirmation: 'required' as const };

async function started(script: string, visitor = 'v1') {
  server = await testSveda(script);
  return rawVisitor(server.origin, await server.mint({ visitor_id: visitor }));
}

const shape = (events: readonly SvedaEvent[]) => events.map(({ type }) => type);

describe('a turn', () => {
  it('SVE-10.2 streams an answer, and reads it again equal to what was streamed', async () => {
    const visitor = await started('- text: Tallinn is near.');
    const events = await visitor.stream({ message: { text: 'Where?' } });
    // How many pieces a text comes in depends on time.
    const merged = shape(events).filter((type, at, all) => type !== 'text.delta' || all[at - 1] !== type);
    expect(merged).toEqual(['message.start', 'chat.title', 'text.delta', 'context.usage', 'message.end']);
    expect(
      events
        .filter(({ type }) => type === 'text.delta')
        .map((event) => 'delta' in event && event.delta)
        .join(''),
    ).toBe('Tallinn is near.');
    const [{ chatId, turnId } = { chatId: '', turnId: '' }] = events;
    expect((await visitor.chat(chatId)).turns[0]?.events).toEqual(events);
    const replay = await fetch(new URL(`/sveda/chats/${chatId}/turns/${turnId}/events`, server.origin), {
      headers: { ...visitor.headers, 'last-event-id': '2' },
    });
    expect(readEvents(await replay.text())).toEqual(events.slice(2));
  });

  it('SVE-23.2 waits for the page, takes its result once, and goes on', async () => {
    const visitor = await started('- calls: [{ name: highlight, args: { name: Tallinn } }]\n- text: Marked.');
    const first = await visitor.stream({ message: { text: 'Mark it' }, clientTools: [highlight] });
    const call = first.find((event) => event.type === 'tool.call');
    expect(call).toMatchObject({ toolName: 'highlight', target: 'frontend', input: { name: 'Tallinn' } });
    expect(first.at(-1)).toMatchObject({ type: 'message.end', finishReason: 'tool_calls' });
    const chatId = first[0]?.chatId ?? '';
    const toolCallId = callIn(first, 'highlight');
    const results = {
      chatId,
      toolResults: [{ toolCallId, output: { done: true } }],
      clientTools: [highlight],
    };
    const second = await visitor.stream(results);
    expect(second.find((event) => event.type === 'tool.result')).toMatchObject({
      status: 'succeeded',
      structuredContent: { done: true },
    });
    expect(second.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(await refusalOf(await visitor.post(results))).toEqual([409, 'call_not_open']);
  });

  it('SVE-25.2 runs nothing before a decision, and a page handler only once it is approved', async () => {
    const visitor = await started('- calls: [{ name: wipe, args: { name: Tallinn } }]\n- text: Wiped.');
    const first = await visitor.stream({ message: { text: 'Wipe it' }, clientTools: [wipe] });
    const call = first.find((event) => event.type === 'tool.call');
    const toolCallId = callIn(first, 'wipe');
    const chatId = first[0]?.chatId ?? '';
    expect(call).toMatchObject({ confirmation: 'required', target: 'frontend' });
    expect(await refusalOf(await visitor.post({ chatId, toolResults: [{ toolCallId, output: 1 }] }))).toEqual(
      [409, 'call_not_open'],
    );
    expect(await refusalOf(await visitor.post({ chatId, message: { text: 'hello?' } }))).toEqual([
      409,
      'confirmation_pending',
    ]);
    const decided = await visitor.stream({
      chatId,
      toolDecisions: [{ toolCallId, decision: 'approve' }],
      clientTools: [wipe],
    });
    expect(shape(decided)).toEqual(['message.start', 'tool.decision', 'message.end']);
    expect(
      await refusalOf(await visitor.post({ chatId, toolDecisions: [{ toolCallId, decision: 'deny' }] })),
    ).toEqual([409, 'call_not_open']);
    const done = await visitor.stream({
      chatId,
      toolResults: [{ toolCallId, output: 'ok' }],
      clientTools: [wipe],
    });
    expect(done.at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('SVE-25.3 gives the model a denial, and runs nothing', async () => {
    const visitor = await started('- calls: [{ name: wipe, args: { name: Tallinn } }]\n- text: As you wish.');
    const first = await visitor.stream({ message: { text: 'Wipe it' }, clientTools: [wipe] });
    const toolCallId = callIn(first, 'wipe');
    const decided = await visitor.stream({
      chatId: first[0]?.chatId,
      toolDecisions: [{ toolCallId, decision: 'deny', reason: 'no' }],
      clientTools: [wipe],
    });
    expect(decided.find((event) => event.type === 'tool.result')).toMatchObject({ status: 'denied' });
    expect(decided.at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('SVE-10.3 refuses what a browser may not say, and chats of others do not exist', async () => {
    const visitor = await started('- text: Hello.');
    const events = await visitor.stream({ message: { text: 'Hi' } });
    const chatId = events[0]?.chatId ?? '';
    const other = rawVisitor(server.origin, await server.mint({ visitor_id: 'v2' }));
    expect(await refusalOf(await visitor.post({ messages: [{ role: 'assistant', content: 'x' }] }))).toEqual([
      422,
      'invalid_request',
    ]);
    expect(await refusalOf(await visitor.post({ chatId, message: { text: 'x' }, continue: true }))).toEqual([
      422,
      'invalid_request',
    ]);
    expect(await refusalOf(await other.post({ chatId, message: { text: 'x' } }))).toEqual([404, 'not_found']);
    expect(
      await refusalOf(
        await other.post({ chatId, toolDecisions: [{ toolCallId: 'c', decision: 'approve' }] }),
      ),
    ).toEqual([404, 'not_found']);
    expect(await refusalOf(await visitor.post({ chatId, continue: true }))).toEqual([
      409,
      'nothing_to_continue',
    ]);
    expect(
      (await fetch(new URL(`/sveda/chats/${chatId}`, server.origin), { headers: other.headers })).status,
    ).toBe(404);
    expect((await post(server.origin, '/sveda/stream', { message: { text: 'x' } })).status).toBe(401);
  });

  it('SVE-13.2 serialises turns of a chat, and stops one whose answer streams', async () => {
    const visitor = await started('- { text: Too late., delayMs: 60000 }');
    const running = await visitor.post({ message: { text: 'Slow' } });
    const head = await firstEvent(running);
    expect(await refusalOf(await visitor.post({ chatId: head.chatId, message: { text: 'again' } }))).toEqual([
      409,
      'turn_in_progress',
    ]);
    expect((await visitor.stop(head)).status).toBe(202);
    const rest = await fetch(
      new URL(`/sveda/chats/${head.chatId}/turns/${head.turnId}/events`, server.origin),
      { headers: visitor.headers },
    );
    expect(readEvents(await rest.text()).at(-1)).toMatchObject({
      type: 'message.end',
      finishReason: 'stopped',
    });
  });

  it('SVE-14.2 gives the model an error result for a tool that is not there, and for wrong arguments', async () => {
    const visitor = await started('- calls: [{ name: nowhere }]\n- text: Sorry.');
    const events = await visitor.stream({ message: { text: 'Go' }, clientTools: [highlight] });
    expect(events.find((event) => event.type === 'tool.call')).toMatchObject({
      toolName: 'nowhere',
      target: 'backend',
    });
    expect(events.find((event) => event.type === 'tool.result')).toMatchObject({ status: 'refused' });
    expect(events.at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('SVE-23.3 closes an open page call as cancelled when the visitor writes on', async () => {
    const visitor = await started('- calls: [{ name: highlight }]\n- text: Fine.');
    const first = await visitor.stream({ message: { text: 'Mark' }, clientTools: [highlight] });
    const chatId = first[0]?.chatId ?? '';
    const second = await visitor.stream({ chatId, message: { text: 'Never mind' } });
    expect(second.at(-1)).toMatchObject({ finishReason: 'stop' });
    const { turns } = await visitor.chat(chatId);
    expect(turns.map(({ status }) => status)).toEqual(['stopped', 'done']);
    expect(turns[0]?.events.find((event) => event.type === 'tool.result')).toMatchObject({
      status: 'cancelled',
    });
  });
});
