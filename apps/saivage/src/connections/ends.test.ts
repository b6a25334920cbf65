import { describe, expect, it } from 'vitest';
import { openReal, scriptedServer } from '../testing/connections.ts';
import { gate, PEER, running } from '../testing/running.ts';

describe('a stop', () => {
  it('SAI-31.2 waits for all calls, however many wait for their turn', async () => {
    const { connections, call } = await running({ call: () => new Promise(() => undefined) });
    let settled = 0;
    const calls = Array.from({ length: 300 }, async (_, n) => {
      await expect(call(String(n))).rejects.toMatchObject({ code: 'closed' });
      settled += 1;
    });
    await connections.stop('peer');
    // Their callers learn of it in the same breath.
    for (let tick = 0; tick < 30; tick += 1) await Promise.resolve();
    expect(settled).toBe(300);
    await Promise.all(calls);
  });
});

describe('a refresh', () => {
  it('SAI-33.8 whose list comes after a stop changes nothing', async () => {
    const { opened, go } = gate();
    let lists = 0;
    const { connections, ready } = await running(
      {
        async list() {
          lists += 1;
          if (lists > 1) await opened;
          return ['echo'];
        },
      },
      { exclusive: false },
    );
    const refreshing = connections.refresh(ready).catch((error: unknown) => error);
    expect(connections.view('peer')).toMatchObject({ status: 'refreshing', catalogId: ready.catalogId });
    const stopping = connections.stop('peer');
    go();
    expect(await stopping).toMatchObject({ status: 'stopped' });
    expect(await refreshing).toMatchObject({ code: 'closed', serverStatus: 'stopped' });
    expect(connections.view('peer')).toMatchObject({ status: 'stopped', toolCount: 0 });
    expect(connections.view('peer').catalogId).toBeUndefined();
  });

  it('SAI-33.8 that is cancelled over HTTP keeps the list and the connection', async () => {
    let lists = 0;
    const { connections, ready, call } = await running(
      {
        async list() {
          lists += 1;
          return lists > 1 ? new Promise(() => undefined) : ['echo'];
        },
      },
      { exclusive: false },
    );
    const caller = new AbortController();
    const refreshing = connections.refresh(ready, { signal: caller.signal }).catch((error: unknown) => error);
    caller.abort();
    expect(await refreshing).toMatchObject({ code: 'cancelled', serverStatus: 'running' });
    expect(connections.view('peer')).toMatchObject({
      bindingId: ready.bindingId,
      catalogId: ready.catalogId,
    });
    expect(await call('still here')).toMatchObject({ content: [{ text: 'still here' }] });
  });
});

describe('a call that ends its server', () => {
  it('SAI-35.11 is reported once all is over, and leaves the server closed, in error', async () => {
    const { connections } = openReal({ budgets: { call: 200 } });
    connections.register('peer', scriptedServer());
    const { serverName, bindingId, catalogId } = await connections.start('peer');
    const pid = connections.view('peer').processId ?? 0;
    const hanging = connections.call({ serverName, bindingId, catalogId, toolName: 'hang', args: {} });
    await expect(hanging).rejects.toMatchObject({
      code: 'timeout',
      status: 504,
      effects: 'possible',
      serverStatus: 'error',
      containment: { contained: true },
    });
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    expect(connections.view('peer')).toMatchObject({ status: 'error', processId: null, pendingCalls: 0 });
  });

  it('SAI-35.11 is an error where the server cannot be ended, and the server stays closed', async () => {
    const { connections, puppets, ready } = await running({
      call: () => new Promise(() => undefined),
      end: async () => ({ contained: false, pids: [4711] }),
    });
    const caller = new AbortController();
    const { bindingId, catalogId } = ready;
    const wanted = { serverName: 'peer', bindingId, catalogId, toolName: 'echo', args: { text: 'x' } };
    const calling = connections.call(wanted, { signal: caller.signal }).catch((error: unknown) => error);
    await expect.poll(() => puppets[0]?.called, { interval: 1 }).toEqual(['x']);
    caller.abort();
    expect(await calling).toMatchObject({
      code: 'not_contained',
      status: 500,
      effects: 'possible',
      serverStatus: 'error',
    });
    await expect(connections.start('peer')).rejects.toMatchObject({ code: 'blocked', status: 409 });
  });
});

describe('a server that cannot be ended', () => {
  it('A-01 SAI-36.10 stays closed: nothing is started or replaced until a stop succeeds', async () => {
    let contained = false;
    const { connections, puppets } = await running({
      end: async () => (contained ? { contained: true } : { contained: false, pids: [4711] }),
    });
    await expect(connections.stop('peer')).rejects.toMatchObject({
      code: 'not_contained',
      status: 500,
      acts: 'operator',
      serverStatus: 'error',
      containment: { contained: false, pids: [4711] },
    });
    const blocked = { code: 'blocked', status: 409, serverStatus: 'error' };
    await expect(connections.start('peer')).rejects.toMatchObject(blocked);
    expect(() => connections.replace('peer', PEER)).toThrow(expect.objectContaining(blocked));
    await expect(connections.restart('peer')).rejects.toMatchObject({ code: 'not_contained' });
    expect(puppets).toHaveLength(1);

    await expect(connections.unregister('peer')).rejects.toMatchObject({ code: 'not_contained' });
    expect(connections.view('peer')).toMatchObject({ source: undefined, status: 'error' });
    expect(() => connections.register('peer', PEER)).toThrow(expect.objectContaining(blocked));
    await expect(connections.start('peer')).rejects.toMatchObject({ code: 'unknown_server', status: 404 });
    await expect(connections.close()).rejects.toMatchObject({ code: 'not_contained' });
    contained = true;
    await connections.close();
    expect(puppets.map(({ alive }) => alive)).toEqual([false]);
  });

  it('SAI-36.10 gives its place back once a stop succeeds', async () => {
    let contained = false;
    const { connections, kept } = await running({
      end: async () => (contained ? { contained: true } : { contained: false, pids: [4711] }),
    });
    await expect(connections.unregister('peer')).rejects.toMatchObject({ code: 'not_contained' });
    expect(kept()).toEqual({});
    contained = true;
    expect(await connections.stop('peer')).toEqual({ serverName: 'peer', status: 'stopped', toolCount: 0 });
    expect(connections.list()).toEqual([]);
    expect(connections.register('peer', PEER)).toMatchObject({ source: 'dynamic', status: 'stopped' });
  });
});
