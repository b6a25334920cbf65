import { listed, openLog, type Script } from '@portolan/mcp/connect/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openReal, scriptedServer } from '../testing/connections.ts';
import type { Connections, Ready } from './connections.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const OFTEN = { interval: 5 };

function watched(script: Script) {
  const log = openLog();
  onTestFinished(() => log.close());
  const { connections } = openReal();
  connections.register('peer', scriptedServer({ ...script, log: log.file }));
  const received = (method: string) => log.received().filter((one) => one.method === method);
  return { connections, received };
}

const call = (
  connections: Connections,
  { serverName, bindingId, catalogId }: Ready,
  toolName: string,
  args = {},
) => connections.call({ serverName, bindingId, catalogId, toolName, args });

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => listed(`tool-${from + index}`));

describe('a catalog', () => {
  it('A-04 SAI-33.5 is whole, new as a whole at each refresh, and stays whole where a page fails', async () => {
    const odd = 'a+b==&c/d?é漢';
    const paged = (tools: object[]) => [
      { tools: numbered(0, 50), nextCursor: odd },
      { tools: [], nextCursor: '2' },
      { tools: numbered(50, 100), nextCursor: '3' },
      { tools },
    ];
    const broken = { error: { code: -32_603, message: 'page 3' } };
    const pages = [
      ...paged(numbered(100, 120)),
      ...paged(numbered(100, 121)),
      ...paged([]).slice(0, 2),
      broken,
      ...paged(numbered(100, 121)),
    ];
    const { connections, received } = watched({ pages });
    const first = await connections.start('peer');
    expect(first).toEqual({
      serverName: 'peer',
      status: 'running',
      toolCount: 120,
      bindingId: expect.stringMatching(UUID),
      catalogId: expect.stringMatching(UUID),
    });
    expect(connections.tools('peer').tools.map(({ name }) => name)).toEqual(
      numbered(0, 120).map(({ name }) => name),
    );
    expect(received('tools/list').map(({ params }) => params?.cursor)).toEqual([undefined, odd, '2', '3']);

    const second = await connections.refresh(first);
    expect(second).toMatchObject({ toolCount: 121, bindingId: first.bindingId });
    await expect(connections.refresh(second)).rejects.toMatchObject({
      code: 'peer_error',
      serverStatus: 'running',
    });
    expect(connections.view('peer')).toMatchObject({
      status: 'running',
      toolCount: 121,
      catalogId: second.catalogId,
    });
    // The same list once more is another one.
    const third = await connections.refresh(second);
    expect(third).toMatchObject({ toolCount: 121, bindingId: first.bindingId });
    expect(new Set([first.catalogId, second.catalogId, third.catalogId]).size).toBe(3);
    expect(received('initialize')).toHaveLength(1);
  });

  it('SAI-33.6 SAI-33.3 is named by a call with both ids, and a call that is stale is never sent', async () => {
    const { connections, received } = watched({});
    const first = await connections.start('peer');
    const active = call(connections, first, 'slow', { ms: 300 });
    await expect.poll(() => received('tools/call').length, OFTEN).toBe(1);
    const refreshing = connections.refresh(first);
    const queued = call(connections, first, 'echo', { stale: 1 });
    await expect(connections.refresh(first)).rejects.toMatchObject({
      code: 'busy',
      status: 409,
      effects: 'none',
    });
    await expect(connections.start('peer')).rejects.toMatchObject({
      code: 'busy',
      serverStatus: 'refreshing',
    });
    const second = await refreshing;
    await active;
    const stale = { status: 409, effects: 'none' };
    await expect(queued).rejects.toMatchObject({ code: 'catalog_stale', ...stale });
    await expect(call(connections, first, 'echo')).rejects.toMatchObject({ code: 'catalog_stale', ...stale });
    const other = { ...second, bindingId: first.catalogId };
    await expect(call(connections, other, 'echo')).rejects.toMatchObject({ code: 'binding_stale', ...stale });
    await expect(connections.refresh(other)).rejects.toMatchObject({ code: 'binding_stale', ...stale });
    await expect(call(connections, second, 'nothing')).rejects.toMatchObject({
      code: 'unknown_tool',
      status: 404,
    });
    expect(received('tools/call')).toHaveLength(1);
    expect(await call(connections, second, 'echo', { n: 1 })).toMatchObject({
      content: [{ text: '{"n":1}' }],
    });
    expect(connections.view('peer').calls).toMatchObject({ total: 2, succeeded: 2, failed: 0 });
    const echo = connections.tools('peer').tools.find(({ name }) => name === 'echo');
    expect(echo?.calls).toMatchObject({ total: 1, succeeded: 1 });
  });

  it('SAI-33.7 that is refreshed for too long over stdio ends the server before that is reported', async () => {
    const { connections: slow } = openReal({ budgets: { refresh: 300 } });
    slow.register('peer', scriptedServer({ pages: [{ tools: [listed('echo')] }, { silent: true }] }));
    const ready = await slow.start('peer');
    await expect(slow.refresh(ready)).rejects.toMatchObject({
      code: 'timeout',
      serverStatus: 'error',
      containment: { contained: true },
    });
    expect(slow.view('peer')).toMatchObject({ status: 'error', failure: { code: 'timeout' }, toolCount: 0 });
    await expect(call(slow, ready, 'echo')).rejects.toMatchObject({ code: 'not_running', effects: 'none' });
  });

  it('SAI-33.7 whose refresh is cancelled, or meets what does not belong, ends the server too', async () => {
    const tools = [listed('echo')];
    const { connections: garbled } = openReal();
    garbled.register(
      'peer',
      scriptedServer({ pages: [{ tools }, { before: ['Listening on 3000\n'], tools }] }),
    );
    const garbage = await garbled.start('peer');
    const ended = { serverStatus: 'error', containment: { contained: true } };
    await expect(garbled.refresh(garbage)).rejects.toMatchObject({ code: 'bad_stdout', ...ended });
    expect(garbled.view('peer')).toMatchObject({ status: 'error', failure: { code: 'bad_stdout' } });

    const { connections: slow, received } = watched({ pages: [{ tools }, { silent: true }] });
    const ready = await slow.start('peer');
    const caller = new AbortController();
    const refreshing = slow.refresh(ready, { signal: caller.signal }).catch((error: unknown) => error);
    await expect.poll(() => received('tools/list').length, OFTEN).toBe(2);
    caller.abort();
    expect(await refreshing).toMatchObject({ code: 'cancelled', ...ended });
    expect(slow.view('peer')).toMatchObject({ status: 'error', failure: { code: 'cancelled' } });
  });
});
