import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, property, string } from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { callIn, mcpServer, offeredIn, resultsIn, talk } from '../testing/opened.ts';
import { catalogueOf } from './catalogue.ts';
import type { FoundTool } from './found.ts';
import { isReadable, providerName } from './names.ts';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'sveda-root-'));
  await writeFile(join(root, 'a.ts'), 'export const a = 1;\n');
});
afterAll(() => rm(root, { recursive: true }));

const pageTool = (name: string) => ({ name, description: name, parameters: { type: 'object' } });
const serversYaml = (servers: Readonly<Record<string, { url: string }>>) =>
  `mcp: { mcpServers: ${JSON.stringify(Object.fromEntries(Object.entries(servers).map(([name, { url }]) => [name, { url }])))} }`;

describe('the catalogue', () => {
  it('SVE-24.1 gives each name once: builtin, host, runtime, page; a shared server makes way, the others are refused', async () => {
    const docs = await mcpServer([{ name: 'find' }, { name: 'both' }]);
    const wiki = await mcpServer([{ name: 'find' }, { name: 'both' }, { name: 'docs__find' }]);
    const { host, visitor, requests, diagnostics } = await talk({
      host: [{ name: 'find' }, { name: 'read_code_file' }, { name: 'spawn_tasks' }],
      yaml: serversYaml({ docs, wiki }),
      environment: { SVEDA_INDEX_ROOT: root },
      model: (_request, index) =>
        index === 0
          ? {
              calls: ['find', 'docs__find', 'wiki__find', 'wiki__both', 'both'].map((name) => ({
                name,
                args: { of: name },
              })),
            }
          : { text: 'Done.' },
    });
    const clientTools = ['search_code', 'find', 'docs__find', 'mark'].map(pageTool);
    const events = await visitor.stream({ message: { text: 'Find' }, clientTools });
    expect(offeredIn(requests[0])).toEqual([
      'search_code',
      'read_code_file',
      'spawn_tasks',
      'find',
      'docs__find',
      'both',
      'wiki__find',
      'wiki__both',
      'wiki__docs__find',
      'mark',
    ]);
    expect(host.calls()).toEqual(['find {"of":"find"}']);
    expect(docs.calls().toSorted()).toEqual(['both {"of":"both"}', 'find {"of":"docs__find"}']);
    expect(wiki.calls().toSorted()).toEqual(['both {"of":"wiki__both"}', 'find {"of":"wiki__find"}']);
    expect((await diagnostics(events[0]?.turnId)).refused).toEqual([
      { name: 'read_code_file', source: 'host', rule: 'name_taken: builtin' },
      { name: 'spawn_tasks', source: 'host', rule: 'name_taken: builtin' },
      { name: 'search_code', source: 'frontend', rule: 'name_taken: builtin' },
      { name: 'find', source: 'frontend', rule: 'name_taken: host' },
      { name: 'docs__find', source: 'frontend', rule: 'name_taken: runtime docs' },
    ]);
  });

  it('SVE-24.2 gives a name that providers do not take an alias, and people the name that the tool has', async () => {
    const names = ['tickets.search', 'tickets/search', 'отчёт за день', `${'long'.repeat(30)}.x`];
    const { host, visitor, requests, diagnostics } = await talk({
      host: names.map((name) => ({ name })),
      model: ({ body }, index) =>
        index === 0
          ? { calls: [...offeredIn({ body } as never)].map((name) => ({ name, args: {} })) }
          : { text: 'Done.' },
    });
    const clientTools = [pageTool('page.mark')];
    const first = await visitor.stream({ message: { text: 'All' }, clientTools });
    const aliases = offeredIn(requests[0]).filter((name) => name !== 'spawn_tasks');
    expect(aliases).toHaveLength(5);
    expect(new Set(aliases).size).toBe(5);
    for (const alias of aliases) expect(alias).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(aliases[0]).toBe('tickets_search_2d10c5acda2e');
    expect(
      host
        .calls()
        .map((call) => call.replace(' {}', ''))
        .toSorted(),
    ).toEqual(names.toSorted());
    const toolCallId = callIn(first, 'page.mark');
    const second = await visitor.stream({
      chatId: first[0]?.chatId,
      toolResults: [{ toolCallId, output: 'ok' }],
      clientTools,
    });
    expect(resultsIn([...first, ...second]).toSorted()).toEqual(
      [...names, 'page.mark']
        .map((name) => `${name}: succeeded`)
        .concat('spawn_tasks: refused')
        .toSorted(),
    );
    const { turns } = await visitor.chat(first[0]?.chatId);
    expect(turns[0]?.events).toEqual([...first, ...second]);
    expect((await diagnostics(first[0]?.turnId)).offered[1]).toEqual({
      name: 'tickets.search',
      source: 'host',
      alias: 'tickets_search_2d10c5acda2e',
    });
  });

  it('SVE-24.2 makes aliases that are always taken, always the same, and never shared', () => {
    assert(
      property(
        string({ unit: 'grapheme', minLength: 1 }),
        string({ unit: 'grapheme', minLength: 1 }),
        (one, other) => {
          const alias = providerName(one);
          expect(alias).toMatch(/^[\w-]{1,64}$/);
          expect(providerName(one)).toBe(alias);
          expect(providerName(alias)).toBe(alias);
          if (one !== other) expect(providerName(other)).not.toBe(alias);
        },
      ),
    );
  });

  it('SVE-24.2 lets no tool take the alias of another', () => {
    const { entries, refused } = catalogueOf(
      [found('a.b'), found(providerName('a.b')), found('c.d')].toReversed(),
      [],
      new Map(),
    );
    expect([...entries.keys()]).toEqual([providerName('c.d'), providerName('a.b')]);
    expect(refused).toEqual([{ name: 'a.b', source: 'host', rule: 'name_taken: host' }]);
  });

  it('SVE-24.3 is bounded: in tools, and in what is said of them', () => {
    const many = catalogueOf(
      Array.from({ length: 200 }, (_, at) => found(`t${at}`)),
      [],
      new Map(),
    );
    expect(many.entries.size).toBe(128);
    expect(many.refused.at(-1)).toEqual({ name: 't199', source: 'host', rule: 'too_many_tools' });
    const schema = { type: 'object', description: 'x'.repeat(100_000) };
    const large = catalogueOf(
      Array.from({ length: 6 }, (_, at) => found(`t${at}`, schema)),
      [],
      new Map(),
    );
    expect(large.entries.size).toBe(3);
    expect(large.refused[0]).toEqual({ name: 't3', source: 'host', rule: 'definitions_too_large' });
  });

  it('SVE-24.4 sends a decided call to the tool that it was made to, or to none', async () => {
    const docs = await mcpServer([]);
    const { host, visitor } = await talk({
      script: '- calls: [{ name: pay, args: { sum: 5 } }]\n- text: Well.',
      host: [{ name: 'pay', _meta: { confirmation: 'required' } }],
      yaml: serversYaml({ docs }),
    });
    docs.state.tools = [{ name: 'pay' }];
    const first = await visitor.stream({ message: { text: 'Pay' } });
    host.state.tools = [];
    const second = await visitor.stream({
      chatId: first[0]?.chatId,
      toolDecisions: [{ toolCallId: callIn(first, 'pay'), decision: 'approve' }],
    });
    expect(resultsIn(second)).toEqual(['pay: failed']);
    expect([...host.calls(), ...docs.calls()]).toEqual([]);
  });

  it('SVE-24.5 takes no name that cannot be read whole', () => {
    const names = {
      'zero-width space': 'send\u200bmail',
      'byte order mark': '\ufeffsend',
      'line end': 'send\nmail',
      'right-to-left override': 'send\u202email',
      'tag letter': 'send\u{e0041}',
      'blank at its end': 'send ',
      filler: 'send\u3164',
      'no-break space': 'send\u00a0mail',
      'too many letters': 'x'.repeat(129),
    };
    expect(Object.entries(names).filter(([, name]) => isReadable(name))).toEqual([]);
    expect(['send', 'отчёт за день', '送信', 'a.b/c:d'].filter((name) => !isReadable(name))).toEqual([]);
  });
});

function found(name: string, inputSchema: FoundTool['inputSchema'] = { type: 'object' }): FoundTool {
  return {
    origin: 'host',
    name,
    description: name,
    inputSchema,
    confirmation: false,
    definition: {},
    run: () => Promise.resolve({ content: [] }),
  };
}
