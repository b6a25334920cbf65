import { afterEach, describe, expect, it } from 'vitest';
import { connect } from '../connect.ts';
import { callOf, connected, textOf, toolOf } from './testing/opened.ts';
import { listed, openLog, scripted, type PageScript } from './testing/peer.ts';

const logs: ReturnType<typeof openLog>[] = [];
afterEach(() => logs.splice(0).forEach((log) => log.close()));

/** A connection to a server with these pages, and the cursors that it was sent. */
async function listing(pages: readonly PageScript[]) {
  const log = openLog();
  logs.push(log);
  const connection = await connected(scripted({ pages, log: log.file }));
  const cursors = () =>
    log
      .received()
      .filter(({ method }) => method === 'tools/list')
      .map(({ params }) => params?.cursor);
  return { connection, cursors };
}

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => listed(`tool-${from + index}`));

const failing = (pages: readonly PageScript[]) => connect(scripted({ pages }), { budget: 60_000 });

const DRAFT_07 = 'http://json-schema.org/draft-07/schema#';

describe('a tool list', () => {
  const ODD = 'a+b==&c/d?é漢\u0000\n';
  const pages = [
    { tools: numbered(0, 50), nextCursor: ODD },
    { tools: [], nextCursor: '' },
    { tools: numbered(50, 100), nextCursor: '3' },
    { tools: numbered(100, 120) },
  ];

  it('A-04 SAI-33.1 has all pages, in their order, and returns cursors as they came', async () => {
    const { connection, cursors } = await listing(pages);
    expect(connection.catalog.tools.map(({ name }) => name)).toEqual(
      numbered(0, 120).map(({ name }) => name),
    );
    expect(cursors()).toEqual([undefined, ODD, '', '3']);
    await expect(callOf(connection, 'tool-119')).rejects.toMatchObject({ code: 'peer_exited' });
  });

  it('A-04 SAI-33.2 is read anew as a whole, or stays', async () => {
    const broken = { error: { code: -32603, message: 'page 3' } };
    const { connection } = await listing([
      ...pages,
      ...pages.slice(0, 2),
      { tools: numbered(50, 101), nextCursor: '3' },
      { tools: numbered(101, 121) },
      ...pages.slice(0, 2),
      broken,
    ]);
    const first = connection.catalog;
    const second = await connection.refresh({ budget: 20_000 });
    expect([first.tools.length, second.tools.length]).toEqual([120, 121]);
    expect(connection.catalog).toBe(second);
    await expect(connection.refresh({ budget: 20_000 })).rejects.toMatchObject({ code: 'peer_error' });
    expect(connection.catalog).toBe(second);
  });

  it('SAI-33.3 is another one after each refresh, and a tool of the old one is stale before anything goes out', async () => {
    const log = openLog();
    logs.push(log);
    const connection = await connected(scripted({ log: log.file }));
    const old = connection.catalog.tool('echo');
    if (!old) throw new Error('no tool');
    const active = callOf(connection, 'slow', { ms: 200 });
    const refreshing = connection.refresh({ budget: 20_000 });
    const queued = connection.call(old, {});
    await expect(connection.refresh({ budget: 1 })).rejects.toMatchObject({ code: 'busy', effects: 'none' });
    const fresh = await refreshing;
    expect(fresh.tool('echo')).not.toBe(old);
    await active;
    await expect(queued).rejects.toMatchObject({ code: 'catalog_stale', effects: 'none' });
    await expect(connection.call(old, {})).rejects.toMatchObject({ code: 'catalog_stale', effects: 'none' });
    expect(textOf(await callOf(connection, 'echo'))).toBe('{}');
    expect(log.received().filter(({ params }) => params?.name === 'echo')).toHaveLength(1);
  });

  it('SAI-33.3 is refreshed within its time, the wait for its turn included, and only an active one ends the server', async () => {
    const { connection } = await listing([{ tools: [listed('slow'), listed('echo')] }]);
    const active = callOf(connection, 'slow', { ms: 500 });
    await expect(connection.refresh({ budget: 100 })).rejects.toMatchObject({
      code: 'timeout',
      effects: 'none',
    });
    await active;
    expect(textOf(await callOf(connection, 'echo'))).toBe('{}');
  });

  it('SAI-33.3 that takes too long while it is read ends the server', async () => {
    const connection = await connected(scripted({ pageMs: 250 }));
    await expect(connection.refresh({ budget: 100 })).rejects.toMatchObject({
      code: 'timeout',
      containment: { contained: true },
    });
    await expect(callOf(connection, 'echo')).rejects.toMatchObject({ code: 'closed', effects: 'none' });
  });

  it.each([
    ['a repeated cursor', [{ tools: [], nextCursor: 'x' }], 'catalog_cursor_repeated'],
    [
      'a name twice',
      [{ tools: [listed('a')], nextCursor: 'x' }, { tools: [listed('a')] }],
      'catalog_duplicate_name',
    ],
    ['more than 2,000 tools', [{ tools: numbered(0, 2_001) }], 'catalog_too_many_tools'],
    ['a page without tools', [{ nextCursor: 'x' }], 'catalog_malformed'],
    ['tools that are no list', [{ tools: { a: 1 } }], 'catalog_malformed'],
    ['a cursor that is no text', [{ tools: [], nextCursor: 7 }], 'catalog_malformed'],
  ] as const)('SAI-33.4 with %s is a failure of its own name', async (_, script, code) => {
    await expect(failing(script)).rejects.toMatchObject({ code, phase: 'tools/list' });
  });

  it('SAI-33.4 with 2,000 tools is read', async () => {
    const { connection } = await listing([{ tools: numbered(0, 2_000) }]);
    expect(connection.catalog.tools).toHaveLength(2_000);
  });

  it('SAI-33.4 without an end is a failure of its own name', async () => {
    const log = openLog();
    logs.push(log);
    await expect(
      connect(scripted({ endless: true, log: log.file }), { budget: 60_000 }),
    ).rejects.toMatchObject({
      code: 'catalog_endless',
    });
    expect(log.received().filter(({ method }) => method === 'tools/list')).toHaveLength(101);
  });

  it('cannot be changed by those who see it', async () => {
    const { connection } = await listing([
      { tools: [listed('a', { inputSchema: { properties: { x: {} } } })] },
    ]);
    const tool = toolOf(connection, 'a');
    const { properties } = tool.sent.inputSchema as { properties: object };
    const seen = [connection.catalog, connection.catalog.tools, tool, tool.sent, properties];
    expect(seen.map(Object.isFrozen)).toEqual([true, true, true, true, true]);
  });
});

describe('one tool', () => {
  const tools = [
    listed('bare', { inputSchema: { properties: { n: { type: 'number' } }, required: ['n'] } }),
    listed('newer', {
      inputSchema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        properties: { at: { prefixItems: [{ type: 'number' }, { type: 'string' }] } },
      },
    }),
    listed('older', {
      inputSchema: {
        $schema: DRAFT_07,
        definitions: { pair: { type: 'array', items: [{ type: 'number' }, { type: 'string' }] } },
        properties: { at: { $ref: '#/definitions/pair' } },
      },
    }),
    listed('mixed', {
      inputSchema: { properties: { at: { prefixItems: [{ type: 'number' }] } } },
      outputSchema: {
        $schema: DRAFT_07,
        properties: { at: { items: [{ type: 'number' }, { type: 'string' }] } },
      },
    }),
    listed('remote', { inputSchema: { $ref: 'https://example.invalid/x.json' } }),
    listed('unknown-dialect', { inputSchema: { $schema: 'https://example.invalid/dialect' } }),
    { name: 'schemaless' },
    { name: 7, inputSchema: {} },
    'nonsense',
    null,
  ];

  const calls = [
    ['bare', { n: 1 }, { n: 'x' }, '/n must be number'],
    ['newer', { at: [1, 'a'] }, { at: [1, 2] }, '/at/1 must be string'],
    ['older', { at: [1, 'a'] }, { at: [1, 2] }, '/at/1 must be string'],
    ['mixed', { at: [1] }, { at: ['a'] }, '/at/0 must be number'],
  ] as const;

  it.each(calls)('A-06 SAI-34.7 is judged by its own dialect: %s', async (name, right, wrong, row) => {
    const { connection } = await listing([{ tools }]);
    const refused = callOf(connection, name, wrong);
    await expect(refused).rejects.toMatchObject({
      code: 'arguments_invalid',
      message: 'The arguments do not fit the schema of the tool.',
      effects: 'none',
      rows: [row],
    });
    // The right call goes out: the scripted server does not know the tool, and ends.
    await expect(callOf(connection, name, right)).rejects.toMatchObject({ code: 'peer_exited' });
  });

  const unusable = [
    ['remote', 'schema_compile_error'],
    ['unknown-dialect', 'schema_unsupported'],
    ['schemaless', 'schema_missing'],
  ] as const;

  it.each(unusable)(
    'A-06 SAI-34.7 is refused alone where its schema cannot be used: %s',
    async (name, reason) => {
      const { connection } = await listing([{ tools: [...tools, listed('echo')] }]);
      await expect(callOf(connection, name)).rejects.toMatchObject({
        code: 'tool_unusable',
        effects: 'none',
        message: `A schema of the tool cannot be used: ${reason}.`,
      });
      expect(textOf(await callOf(connection, 'echo'))).toBe('{}');
    },
  );

  it('SAI-34.7 is shown as it was sent, and entries without a name are counted', async () => {
    const { connection } = await listing([{ tools }]);
    expect(connection.catalog.tools.map(({ sent }) => sent)).toEqual(tools.slice(0, 7));
    expect(connection.catalog.nameless).toBe(3);
  });

  it('SAI-34.7 that is nested too deeply to be used hides no other, up to what no answer may be', async () => {
    const nested = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as unknown;
    // The result, its list, the tool and the schema are four levels.
    const page = (levels: number) => [
      { tools: [listed('deep', { inputSchema: { a: nested(levels) } }), listed('b')] },
    ];
    const { connection } = await listing(page(496));
    expect(connection.catalog.tools.map(({ name }) => name)).toEqual(['deep', 'b']);
    await expect(callOf(connection, 'deep')).rejects.toMatchObject({ code: 'tool_unusable' });
    await expect(listing(page(497))).rejects.toMatchObject({
      code: 'answer_malformed',
      message: 'The answer is not what the protocol prescribes: it is nested more than 500 levels deep.',
    });
  });

  it('SAI-34.7 has its result judged by the schema that it declares', async () => {
    const raw = listed('raw', {
      outputSchema: { type: 'object', properties: { at: { type: 'number' } }, required: ['at'] },
    });
    const { connection } = await listing([{ tools: [raw] }]);
    const result = (more: object) => callOf(connection, 'raw', { result: { content: [], ...more } });
    expect(await result({ structuredContent: { at: 1 } })).toEqual({
      content: [],
      structuredContent: { at: 1 },
    });
    expect(await result({ isError: true })).toEqual({ content: [], isError: true });
    await expect(result({ structuredContent: { at: 'hunter2' } })).rejects.toMatchObject({
      code: 'result_invalid',
      effects: 'possible',
      rows: ['/at must be number'],
    });
    await expect(result({})).rejects.toMatchObject({ rows: ['there is no structured content'] });
  });
});
