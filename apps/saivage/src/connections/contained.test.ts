import { readdirSync } from 'node:fs';
import { living } from '@portolan/process/testing';
import { describe, expect, it } from 'vitest';
import { openReal, scriptedServer, wrappedServer } from '../testing/connections.ts';
import { napOfTest, outwardProject } from '../testing/outward.ts';
import { processOfTest } from '../testing/process.ts';

/** For a machine that does much else. */
const PATIENT = { timeout: process.env.PORTOLAN_TRUE_TIME ? 900_000 : 120_000 };
const ROUNDS = process.env.PORTOLAN_TRUE_TIME ? 200 : 20;

/** Deaf to every end, with a child in a session of its own, behind a shell that waits or leaves at once. */
const wrappers = (nap: number) => ({
  waits: wrappedServer({ deaf: true, nap }),
  leaves: wrappedServer({ deaf: true, nap }, `trap 'exit 0' TERM`),
});

describe('what a server has started', () => {
  it('A-01 SAI-36.8 is gone when a stop, a restart, an unregistration or the close reports success', async () => {
    const nap = napOfTest();
    const { connections } = openReal();
    const neighbour = connections.register('neighbour', scriptedServer()).serverName;
    const { bindingId } = await connections.start(neighbour);
    const names = ['stopped', 'restarted', 'unregistered', 'closed'];
    const [first = '', second = '', third = '', fourth = ''] = names;
    const { waits, leaves } = wrappers(nap);
    for (const [index, name] of names.entries()) {
      connections.register(name, index % 2 === 0 ? waits : leaves);
      await connections.start(name);
    }
    const before = pidsOf(nap);
    expect(before.length).toBeGreaterThanOrEqual(8);

    const [stopped, , unregistered] = await Promise.all([
      connections.stop(first),
      connections.restart(second),
      connections.unregister(third),
    ]);
    expect([stopped.status, unregistered.status]).toEqual(['stopped', 'unregistered']);
    const after = pidsOf(nap);
    const kept = after.filter((pid) => before.includes(pid));
    // Of the four only the one that was left alone still has the processes of before.
    expect(kept.length).toBe(before.length / 4);
    expect(after.length).toBe(before.length / 2);
    expect(connections.view(neighbour)).toMatchObject({ status: 'running', bindingId });

    expect(connections.view(fourth).status).toBe('running');
    await connections.close();
    expect(pidsOf(nap)).toEqual([]);
  });

  it(
    'A-01 SAI-36.9 leaves processes and open files as they were, round after round',
    PATIENT,
    async ({ annotate }) => {
      const nap = napOfTest();
      const { connections } = openReal();
      const names = ['a', 'b', 'c', 'd', 'e'];
      for (const name of names) connections.register(name, wrappedServer({ nap }));
      const round = async () => {
        await Promise.all(names.map((name) => connections.start(name)));
        expect(pidsOf(nap).length).toBeGreaterThanOrEqual(2 * names.length);
        await Promise.all(names.map((name) => connections.stop(name)));
        expect(pidsOf(nap)).toEqual([]);
      };
      await round();
      const files = openFiles();
      for (let done = names.length; done < ROUNDS; done += names.length) await round();
      // A pipe is closed in its own time after the process behind it.
      await expect.poll(openFiles).toBeLessThanOrEqual(files);
      await annotate(
        `${ROUNDS} starts and stops, ${names.length} at once: ${files} open files before and after`,
      );
    },
  );

  it('A-01 SAI-36.8 is gone when Saivage itself has ended', async () => {
    const nap = napOfTest();
    const early = { ...wrappers(nap).waits, autostart: true };
    const server = await processOfTest(outwardProject({ early }));
    const ready = async () => (await fetch(`${server.origin}/health/ready`)).status;
    await expect.poll(ready, { timeout: 60_000, interval: 20 }).toBe(200);
    expect(pidsOf(nap).length).toBeGreaterThanOrEqual(2);
    expect(await server.end('SIGTERM')).toBe(0);
    expect(pidsOf(nap)).toEqual([]);
  });

  it('A-01 SAI-36.8 is gone when a start that hangs is stopped', async () => {
    const nap = napOfTest();
    const { connections } = openReal();
    connections.register('peer', wrappedServer({ deaf: true, nap, initializeMs: 1e9 }));
    const starting = connections.start('peer').catch((error: unknown) => error);
    await expect.poll(() => pidsOf(nap).length, { timeout: 30_000, interval: 10 }).toBeGreaterThanOrEqual(2);
    expect(connections.view('peer').status).toBe('starting');
    await connections.stop('peer');
    expect(pidsOf(nap)).toEqual([]);
    expect(await starting).toMatchObject({ code: 'stopped', status: 409, serverStatus: 'stopped' });
  });
});

const pidsOf = (nap: number) => living(nap).map(({ pid }) => pid);
const openFiles = () => readdirSync('/proc/self/fd').length;
