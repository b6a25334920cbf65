import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { callIn, offeredIn, resultsIn, talk } from '../testing/opened.ts';
import { readEvents, refusalOf } from '../testing/sveda.ts';

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
    expect(await refusalOf(refused)).toEqual([403, 'forbidden']);
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
    expect(await refusalOf(late)).toEqual([409, 'call_not_open']);
    expect(requests).toHaveLength(2);
  });

  it('SVE-23.2 that are over 1 MiB are kept out of the history, as a failure that the model is told', async () => {
    const { visitor } = await talk({ script: '- calls: [{ name: add_item }]\n- text: Too much.' });
    const first = await visitor.stream({ message: { text: 'Add' }, clientTools });
    const posted = { toolCallId: callIn(first, 'add_item'), output: { text: 'x'.repeat(1024 * 1024) } };
    const second = await visitor.stream({ chatId: first[0]?.chatId, toolResults: [posted], clientTools });
    expect(second.find(({ type }) => type === 'tool.result')).toMatchObject({
      status: 'failed',
      content: [
        { type: 'text', text: 'The result of the page is over 1 MiB. The tool may have had its effects.' },
      ],
    });
    expect(second.at(-1)).toMatchObject({ finishReason: 'stop' });
  });
});

describe('tools of the page', () => {
  it('SVE-24.3 whose parameters no provider takes are left out and told to the operator, and cost no other tool', async () => {
    const deep: object = Array.from({ length: 150 }).reduce((inner: object) => ({ not: inner }), {});
    const { visitor, requests, diagnostics } = await talk({ model: () => ({ text: 'Done.' }) });
    const events = await visitor.stream({
      message: { text: 'Hello' },
      clientTools: [
        { name: 'text', description: '', parameters: { type: 'string' } },
        { name: 'nothing', description: '', parameters: {} },
        { name: 'deep', description: '', parameters: { type: 'object', properties: { deep } } },
        { name: 'long', description: '', parameters: { type: 'object', title: 'x'.repeat(16_384) } },
        ...clientTools,
      ],
    });
    expect(offeredIn(requests[0])).toEqual(['add_item']);
    expect((await diagnostics(events[0]?.turnId)).refused).toEqual([
      { name: 'text', source: 'frontend', rule: 'schema_not_object' },
      { name: 'nothing', source: 'frontend', rule: 'schema_not_object' },
      { name: 'deep', source: 'frontend', rule: 'schema_too_large' },
      { name: 'long', source: 'frontend', rule: 'schema_too_large' },
    ]);
  });
});
