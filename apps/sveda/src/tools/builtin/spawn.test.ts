import { describe, expect, it } from 'vitest';
import type { EventOf, SvedaEvent } from '@sveda-ai/protocol';
import { offeredIn, talk } from '../../testing/opened.ts';
import { dispatchOver } from '../dispatch.ts';
import { catalogueOf } from '../catalogue.ts';
import { taskRunner } from '../tasks.ts';
import { spawnTasks } from './builtin.ts';

const spawning = (tasks: readonly object[]) => ({ calls: [{ name: 'spawn_tasks', args: { tasks } }] });

function outcomesIn(events: readonly SvedaEvent[]) {
  const result = events.find((event) => event.type === 'tool.result');
  return ((result as EventOf<'tool.result'>).structuredContent as { tasks: Record<string, unknown>[] }).tasks;
}

describe('spawn_tasks', () => {
  it('SVE-20.7 is there with a host that has a tool for it', async () => {
    const { visitorWith, requests } = await talk({
      host: [{ name: 'read' }],
      yaml: 'policies: { none: { web: true } }',
      model: () => ({ text: 'Hello.' }),
    });
    for (const mint of [{}, { policy: 'none' }, { host_mcp_url: undefined, host_mcp_token: undefined }])
      await (await visitorWith(mint)).stream({ message: { text: 'Hi' } });
    expect(requests.map(offeredIn)).toEqual([['spawn_tasks', 'read'], [], []]);
  });

  it('SVE-20.7 runs up to six labelled tasks, four at once, and tells live how they stand', async () => {
    let running = 0;
    let most = 0;
    const { host, visitor } = await talk({
      host: [{ name: 'read' }],
      hostOptions: {
        async answer({ id }) {
          most = Math.max(most, ++running);
          // The first four come together: none of them is answered before all are there.
          await expect.poll(() => most, { interval: 5 }).toBe(4);
          running -= 1;
          return { content: [{ type: 'text', text: `read ${String(id)}` }], isError: id === 3 };
        },
      },
      model: (_request, index) =>
        index === 0
          ? spawning([1, 2, 3, 4, 5, 6].map((id) => ({ tool: 'read', input: { id }, label: `Read ${id}` })))
          : { text: 'Done.' },
    });
    const events = await visitor.stream({ message: { text: 'Read' } });
    expect(most).toBe(4);
    expect(host.calls()).toHaveLength(6);
    expect(outcomesIn(events).map(({ id, label, status, text }) => [id, label, status, text])).toEqual([
      ['1', 'Read 1', 'succeeded', 'read 1'],
      ['2', 'Read 2', 'succeeded', 'read 2'],
      ['3', 'Read 3', 'failed', 'read 3'],
      ['4', 'Read 4', 'succeeded', 'read 4'],
      ['5', 'Read 5', 'succeeded', 'read 5'],
      ['6', 'Read 6', 'succeeded', 'read 6'],
    ]);
    const progress = events.filter((event) => event.type === 'tool.progress');
    expect(progress[0]?.tasks?.map(({ status }) => status)).toEqual(['running', ...Array(5).fill('pending')]);
    expect(progress.at(-1)).toMatchObject({ progress: 6, total: 6 });
    expect(progress.at(-1)?.tasks?.map(({ label, status }) => `${label} ${status}`)).toEqual([
      'Read 1 completed',
      'Read 2 completed',
      'Read 3 failed',
      'Read 4 completed',
      'Read 5 completed',
      'Read 6 completed',
    ]);
    const last = events.findLastIndex(({ type }) => type === 'tool.progress');
    expect(last).toBeLessThan(events.findIndex(({ type }) => type === 'tool.result'));
  });

  it('SVE-20.8 SVE-24.4 goes by the catalogue: what the model may not call, no task may', async () => {
    const { host, visitor } = await talk({
      host: [
        { name: 'read.it' },
        { name: 'guarded', _meta: { confirmation: 'required' } },
        { name: 'asked' },
        { name: 'hidden' },
        {
          name: 'strict',
          inputSchema: { type: 'object', required: ['id'], properties: { id: { type: 'number' } } },
        },
      ],
      yaml: 'policies: { one: { mcp: { allow: ["*"], deny: [hidden], confirm: [asked] }, client: { allow: ["*"] } } }',
      mint: { policy: 'one' },
      model: (_request, index) => {
        if (index > 1) return { text: 'Done.' };
        const tools =
          index === 0
            ? ['read.it', 'guarded', 'asked', 'hidden', 'strict', 'mark']
            : ['spawn_tasks', 'nowhere'];
        return spawning(tools.map((tool) => ({ tool })));
      },
    });
    const clientTools = [{ name: 'mark', description: 'Marks.', parameters: { type: 'object' } }];
    const events = await visitor.stream({ message: { text: 'All' }, clientTools });
    const results = events.filter((event) => event.type === 'tool.result');
    const told = results.map(({ structuredContent }) =>
      (structuredContent as { tasks: { tool: string; status: string; reason?: string }[] }).tasks.map(
        ({ tool, status, reason = '' }) => `${tool} ${status} ${reason}`.trim(),
      ),
    );
    expect(told).toEqual([
      [
        'read.it succeeded',
        'guarded refused This tool asks for the confirmation of the visitor: call it by itself.',
        'asked refused This tool asks for the confirmation of the visitor: call it by itself.',
        'hidden refused There is no tool of this name.',
        expect.stringContaining("strict refused The arguments do not fit the tool's schema: "),
        'mark refused The page runs this tool: call it by itself.',
      ],
      ['spawn_tasks refused Tasks cannot have tasks.', 'nowhere refused There is no tool of this name.'],
    ]);
    expect(host.calls()).toEqual(['read.it {}']);
  });

  it('SVE-20.7 sends no further task once the turn is stopped', async () => {
    const { host, visitor } = await talk({
      host: [{ name: 'read' }],
      hostOptions: { write: () => undefined },
      model: () => spawning([1, 2, 3, 4, 5, 6].map((id) => ({ tool: 'read', input: { id } }))),
    });
    const running = visitor.stream({ message: { text: 'Read' } });
    await expect.poll(() => host.calls().length, { interval: 5 }).toBe(4);
    await visitor.stop(await visitor.lastTurn());
    const events = await running;
    expect(events.at(-1)).toMatchObject({ finishReason: 'stopped' });
    expect(events.find(({ type }) => type === 'tool.result')).toMatchObject({ status: 'uncertain' });
    expect(host.calls()).toHaveLength(4);
  });

  it('SVE-20.7 needs no more than tools in memory behind it, and keeps their images', async () => {
    const image = { type: 'image', data: 'AAAA', mimeType: 'image/png' } as const;
    const catalogue = catalogueOf(
      [
        {
          origin: 'host',
          name: 'draw',
          description: 'Draws.',
          inputSchema: { type: 'object' },
          confirmation: false,
          definition: {},
          run: () => Promise.resolve({ content: [image, { type: 'text', text: 'x'.repeat(20_000) }] }),
        },
      ],
      [],
      new Map(),
    );
    const dispatch = dispatchOver(catalogue, { documents: () => [], carried: new Set() });
    const call = { callId: 'c1', signal: new AbortController().signal, progress: () => undefined };
    const result = await spawnTasks(taskRunner(catalogue, dispatch)).run?.(
      { tasks: [{ tool: 'draw' }] },
      call,
    );
    expect(result?.content.at(-1)).toEqual(image);
    const { tasks } = (result?.structuredContent ?? {}) as { tasks: { text: string }[] };
    expect(tasks[0]?.text).toMatch(/^\[An image, shown beside\.\]\nx+ \[cut off\]$/);
    expect(tasks[0]?.text.length).toBeLessThan(12_020);
  });
});
