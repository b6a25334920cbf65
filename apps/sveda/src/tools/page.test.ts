import { describe, expect, it } from 'vitest';
import { talk } from '../testing/opened.ts';
import { readEvents } from '../testing/sveda.ts';

const clientTools = [{ name: 'add_item', description: 'Adds.', parameters: { type: 'object' } }];

describe('results of the page', () => {
  it('C-04 are taken once each: nine calls, every post sent twice at once, and one further step of the model', async () => {
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
