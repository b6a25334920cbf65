import { ConnectionFailure } from '@portolan/mcp/connect';
import { describe, expect, it } from 'vitest';
import { gate, PEER, running } from '../testing/running.ts';
import { puppetDefinition, smooth, stage } from '../testing/stage.ts';

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
