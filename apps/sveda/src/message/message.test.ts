import { MessageAnswer } from '@sveda-ai/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { post, rawVisitor, testSveda } from '../testing/sveda.ts';

let sveda: Awaited<ReturnType<typeof testSveda>>;

beforeAll(async () => {
  sveda = await testSveda(`
- { when: hello, reasoning: Greet., text: 'Tere, good day.' }
- { when: look, calls: [{ name: get_selection, args: {} }] }
- { text: You picked it. }
`);
});
afterAll(() => sveda.close());

describe('POST /sveda/message', () => {
  it('SVE-30.2 answers in one piece what a stream would have told', async () => {
    const { headers } = rawVisitor(sveda.origin, await sveda.mint());
    const response = await post(sveda.origin, '/sveda/message', { message: { text: 'hello' } }, headers);
    expect(response.status).toBe(200);
    const answer = MessageAnswer.parse(await response.json());
    expect(answer).toMatchObject({ text: 'Tere, good day.', finishReason: 'stop' });
    expect(answer.events.map(({ type }) => type)).toEqual([
      'message.start',
      'chat.title',
      'context.usage',
      'message.end',
    ]);
    const chat = await fetch(new URL(`/sveda/chats/${answer.chatId}`, sveda.origin), { headers });
    expect(await chat.json()).toMatchObject({ turns: [{ turnId: answer.turnId, status: 'done' }] });
  });

  it('SVE-30.2 says when it waits for the page, and goes on with the results', async () => {
    const { headers } = rawVisitor(sveda.origin, await sveda.mint());
    const clientTools = [
      { name: 'get_selection', description: 'The selection', parameters: { type: 'object' } },
    ];
    const ask = async (body: object) =>
      MessageAnswer.parse(
        await (await post(sveda.origin, '/sveda/message', { ...body, clientTools }, headers)).json(),
      );
    const asked = await ask({ message: { text: 'look' } });
    expect(asked.finishReason).toBe('tool_calls');
    const call = asked.events.find(({ type }) => type === 'tool.call');
    expect(call).toMatchObject({ toolName: 'get_selection', target: 'frontend' });
    const toolCallId = call?.type === 'tool.call' ? call.toolCallId : '';
    const ended = await ask({ chatId: asked.chatId, toolResults: [{ toolCallId, output: 'a berth' }] });
    expect(ended).toMatchObject({ turnId: asked.turnId, finishReason: 'stop', text: 'You picked it.' });
  });

  it('SVE-30.2 refuses what a stream refuses', async () => {
    const { headers } = rawVisitor(sveda.origin, await sveda.mint());
    const refusals = await Promise.all([
      post(sveda.origin, '/sveda/message', { message: { text: 'hello' } }),
      post(sveda.origin, '/sveda/message', { messages: [] }, headers),
      post(sveda.origin, '/sveda/message', { message: { text: 'hello' }, model: 'nobody' }, headers),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([401, 422, 422]);
  });
});
