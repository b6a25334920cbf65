import { ConnectionFailure } from '@portolan/mcp/connect';
import { describe, expect, it } from 'vitest';
import { openReal, scriptedServer } from '../testing/connections.ts';
import { puppetDefinition, smooth, stage, type Direction } from '../testing/stage.ts';
import type { Ready } from './connections.ts';

const PEER = { transport: 'stdio', command: 'peer' };

/** A promise that a test lets go. */
function gate() {
  let go: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    go = resolve;
  });
  return { opened, go };
}

/** A server that an agent has defined and started. */
async function running(direction: Partial<Direction> = {}, more: { exclusive?: boolean } = {}) {
  const set = stage({ direction: { ...smooth, ...direction }, ...more });
  set.connections.register('peer', PEER);
  const ready = await set.connections.start('peer');
  const call = (text: string, ids: Ready = ready) => {
    const { serverName, bindingId, catalogId } = ids;
    return set.connections.call({ serverName, bindingId, catalogId, toolName: 'echo', args: { text } });
  };
  return { ...set, ready, call };
}

describe('a start', () => {
  it('SAI-45.1 of a ready server answers the same ids and launches nothing', async () => {
    const { connections, puppets, ready } = await running();
    expect(await connections.start('peer')).toEqual(ready);
    expect(puppets).toHaveLength(1);
  });

  it('SAI-45.2 of what is unknown is 404; of what is disabled or busy, and a change of what is alive, 409', async () => {
    const { opened, go } = gate();
    const { connections } = stage({
      direction: { ...smooth, initialize: () => opened },
      servers: { off: { ...puppetDefinition('off'), disabled: true } },
    });
    await expect(connections.start('nobody')).rejects.toMatchObject({ code: 'unknown_server', status: 404 });
    await expect(connections.start('off')).rejects.toMatchObject({
      code: 'disabled',
      status: 409,
      acts: 'operator',
    });
    connections.register('peer', PEER);
    const starting = connections.start('peer');
    await expect(connections.start('peer')).rejects.toMatchObject({
      code: 'busy',
      status: 409,
      effects: 'none',
      serverStatus: 'starting',
      message: 'Another operation on the server is going on.',
    });
    expect(() => connections.replace('peer', PEER)).toThrow(
      expect.objectContaining({ code: 'not_stopped', status: 409 }),
    );
    go();
    await starting;
  });

  it('SAI-45.5 that fails is not made again by itself, and the next one is a new one', async () => {
    let fails = true;
    const { connections, puppets } = stage({
      direction: {
        ...smooth,
        async initialize() {
          if (fails) throw new ConnectionFailure('peer_exited', { reason: 'with exit code 1' });
        },
      },
    });
    connections.register('peer', PEER);
    await expect(connections.start('peer')).rejects.toMatchObject({
      code: 'peer_exited',
      status: 500,
      phase: 'initialize',
      serverStatus: 'error',
      containment: { contained: true },
    });
    expect(connections.view('peer')).toMatchObject({
      status: 'error',
      failure: { code: 'peer_exited', phase: 'initialize', message: 'The server ended: with exit code 1.' },
    });
    expect(puppets.map(({ alive }) => alive)).toEqual([false]);
    fails = false;
    expect(await connections.start('peer')).toMatchObject({ status: 'running' });
    expect(connections.view('peer').failure).toBeUndefined();
    expect(puppets).toHaveLength(2);
  });
});

describe('a restart', () => {
  it('SAI-44.1 gives new ids each time, also to what was stopped, and is refused to what was never started', async () => {
    const { connections, puppets, ready } = await running();
    const second = await connections.restart('peer');
    await connections.stop('peer');
    const third = await connections.restart('peer');
    const ids = [ready, second, third].flatMap(({ bindingId, catalogId }) => [bindingId, catalogId]);
    expect(new Set(ids).size).toBe(6);
    expect(puppets.map(({ alive }) => alive)).toEqual([false, false, true]);
    connections.register('other', PEER);
    await expect(connections.restart('other')).rejects.toMatchObject({ code: 'never_started', status: 404 });
    await expect(connections.stop('other')).rejects.toMatchObject({ code: 'never_started', status: 404 });
  });

  it('SAI-44.2 between which and its start another operation came is 409, and what that one did stays', async () => {
    const { opened, go } = gate();
    const { connections, puppets } = await running({ end: async () => (await opened, { contained: true }) });
    const restarting = connections.restart('peer').catch((error: unknown) => error);
    const successor = connections.stop('peer').then(() => connections.start('peer'));
    go();
    expect(await restarting).toMatchObject({ code: 'owner_changed', status: 409, effects: 'possible' });
    const ready = await successor;
    expect(connections.view('peer')).toMatchObject({ status: 'running', bindingId: ready.bindingId });
    expect(puppets).toHaveLength(2);
  });

  it('SAI-44.3 that is cancelled before it begins does nothing; during the stop it joins that and starts nothing', async () => {
    const { opened, go } = gate();
    const { connections, puppets, ready } = await running({
      end: async () => (await opened, { contained: true }),
    });
    await expect(connections.restart('peer', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'cancelled',
      effects: 'none',
      serverStatus: 'running',
    });
    expect(await connections.start('peer')).toEqual(ready);
    const caller = new AbortController();
    const restarting = connections
      .restart('peer', { signal: caller.signal })
      .catch((error: unknown) => error);
    caller.abort();
    expect(connections.view('peer').status).toBe('stopping');
    go();
    expect(await restarting).toMatchObject({
      code: 'cancelled',
      effects: 'possible',
      serverStatus: 'stopped',
    });
    expect(puppets.map(({ alive }) => alive)).toEqual([false]);
  });

  it('SAI-44.4 does not outlive the close of Saivage, after which everything is refused', async () => {
    const { opened, go } = gate();
    const { connections, puppets, ready } = await running({
      end: async () => (await opened, { contained: true }),
    });
    const restarting = connections.restart('peer').catch((error: unknown) => error);
    const closing = connections.close();
    go();
    await closing;
    expect(await restarting).toMatchObject({ code: 'owner_changed' });
    const closed = { code: 'application_closed', status: 503 };
    for (const work of [
      connections.start('peer'),
      connections.restart('peer'),
      connections.stop('peer'),
      connections.refresh(ready),
      connections.unregister('peer'),
    ]) {
      await expect(work).rejects.toMatchObject(closed);
    }
    expect(() => connections.register('late', PEER)).toThrow(expect.objectContaining(closed));
    expect(puppets.map(({ alive }) => alive)).toEqual([false]);
  });

  it('SAI-44.5 whose start fails leaves a failed server, and says nothing else', async () => {
    let launches = 0;
    const { connections, puppets } = await running({
      async initialize() {
        launches += 1;
        if (launches === 2) throw new ConnectionFailure('unreachable');
      },
    });
    await expect(connections.restart('peer')).rejects.toMatchObject({
      status: 500,
      phase: 'initialize',
      serverStatus: 'error',
    });
    expect(connections.view('peer')).toMatchObject({ status: 'error', toolCount: 0 });
    expect(puppets.map(({ alive }) => alive)).toEqual([false, false]);
  });

  it('SAI-44.6 fails the calls of before, the queued ones unsent, and leaves finished answers as they are', async () => {
    const { connections, puppets, ready, call } = await running({
      call: async ({ called }) => (called.includes('long') ? new Promise(() => undefined) : undefined),
    });
    expect(await call('finished')).toMatchObject({ content: [{ text: 'finished' }] });
    const long = call('long').catch((error: unknown) => error);
    const queued = call('queued').catch((error: unknown) => error);
    expect(connections.view('peer').pendingCalls).toBe(2);
    const next = await connections.restart('peer');
    expect(await long).toMatchObject({ code: 'closed', effects: 'possible' });
    expect(await queued).toMatchObject({ code: 'closed', effects: 'none' });
    await expect(call('old', ready)).rejects.toMatchObject({ code: 'binding_stale', effects: 'none' });
    expect(await call('new', next)).toMatchObject({ content: [{ text: 'new' }] });
    expect(puppets.map(({ called }) => called)).toEqual([['finished', 'long'], ['new']]);
  });
});

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
