import { ConnectionFailure } from '@portolan/mcp/connect';
import { describe, expect, it } from 'vitest';
import { gate, PEER, running } from '../testing/running.ts';

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
