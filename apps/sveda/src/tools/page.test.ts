import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { callIn, resultsIn, talk } from '../testing/opened.ts';
import { readEvents } from '../testing/sveda.ts';

const clientTools = [{ name: 'add_item', description: 'Adds.', parameters: { type: 'object' } }];

describe('calls of the page', () => {
  const wipe = { ...clientTools[0], name: 'wipe', description: 'Wipes.', parameters: { type: 'object' } };

  it('SVE-26.2 that are decided when the policy no longer allows them are refused, and stay open for a denial', async () => {
    const { server, visitor } = await talk({
      script: '- calls: [{ name: wipe }]\n- text: Well.',
      yaml: 'policies: { one: { client: { allow: ["*"] } } }',
      mint: { policy: 'one' },
    });
    const tools = [{ ...wipe, confirmation: 'required' as const }];
    const first = await visitor.stream({ message: { text: 'Wipe' }, clientTools: tools });
    const decide = (decision: 'approve' | 'deny') => ({
      chatId: first[0]?.chatId,
      toolDecisions: [{ toolCallId: callIn(first, 'wipe'), decision }],
      clientTools: tools,
    });
    await writeFile(server.configFile, (await readFile(server.configFile, 'utf8')).replace('"*"', '"mark"'));
    server.reload();
    const refused = await visitor.post(decide('approve'));
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([403, 'forbidden']);
    expect(resultsIn(await visitor.stream(decide('deny')))).toEqual(['wipe: denied']);
  });

  it('C-08 keep the confirmation that the page once asked for, for as long as the chat lives', async () => {
    const { visitor } = await talk({
      script: '- calls: [{ name: wipe }]\n- text: Well.\n- calls: [{ name: wipe }]\n- text: Well.',
    });
    const first = await visitor.stream({
      message: { text: 'a' },
      clientTools: [{ ...wipe, confirmation: 'required' }],
    });
    const chatId = first[0]?.chatId;
    await visitor.stream({
      chatId,
      toolDecisions: [{ toolCallId: callIn(first, 'wipe'), decision: 'deny' }],
      clientTools: [wipe],
    });
    const second = await visitor.stream({
      chatId,
      message: { text: 'b' },
      clientTools: [{ ...wipe, description: 'New.' }],
    });
    expect(second.find(({ type }) => type === 'tool.call')).toMatchObject({
      confirmation: 'required',
      target: 'frontend',
    });
  });
});

describe('results of the page', () => {
  it('C-04 SVE-23.4 are taken once each: nine calls, every post sent twice at once, and one further step of the model', async () => {
    const { visitor, requests } = await talk({
      model: (_request, index) =>
        index === 0
          ? { calls: Array.from({ length: 9 }, (_, n) => ({ name: 'add_item', args: { n } })), chunkBytes: 7 }
          : { text: 'All there.' },
    });
    const first = await visitor.stream({ message: { text: 'Add nine' }, clientTools });
    const calls = first.filter((event) => event.type === 'tool.call');
    expect(calls.map(({ input, target }) => [input.n, target])).toEqual(
      Array.from({ length: 9 }, (_, n) => [n, 'frontend']),
    );
    const chatId = first[0]?.chatId;
    const statuses: number[][] = [];
    const results: unknown[] = [];
    for (const { toolCallId, input } of calls) {
      const post = () =>
        visitor.post({ chatId, toolResults: [{ toolCallId, output: { n: input.n } }], clientTools });
      const both = await Promise.all([post(), post()]);
      statuses.push(both.map(({ status }) => status).toSorted((one, other) => one - other));
      for (const answer of both) {
        if (answer.status !== 200) continue;
        const events = readEvents(await answer.text());
        results.push(
          ...events.flatMap((event) => (event.type === 'tool.result' ? [event.structuredContent] : [])),
        );
      }
    }
    expect(statuses).toEqual(Array.from({ length: 9 }, () => [200, 409]));
    expect(results).toEqual(Array.from({ length: 9 }, (_, n) => ({ n })));
    expect(requests).toHaveLength(2);
    const late = await visitor.post({
      chatId,
      toolResults: [{ toolCallId: calls[0]?.toolCallId, output: 1 }],
    });
    expect([late.status, ((await late.json()) as { error: string }).error]).toEqual([409, 'call_not_open']);
    expect(requests).toHaveLength(2);
  });
});
