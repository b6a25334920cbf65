import { openLog } from '@portolan/mcp/connect/testing';
import { expect, it, onTestFinished } from 'vitest';
import { openReal, scriptedServer } from '../testing/connections.ts';
import type { Ready } from './connections.ts';
import type { ServerError } from './errors.ts';

it('A-08 SAI-45.5 SAI-35.4 a server that keeps failing is not started by itself, and its neighbours notice nothing', async () => {
  const log = openLog();
  onTestFinished(() => log.close());
  const { connections } = openReal();
  connections.register('good1', scriptedServer());
  connections.register('good2', scriptedServer());
  connections.register('bad', scriptedServer({ exit: 1, log: log.file }));
  connections.register('mortal', scriptedServer());
  const launches = () => log.received().filter(({ method }) => method === 'start').length;
  const call = ({ serverName, bindingId, catalogId }: Ready, toolName: string, args = {}) =>
    connections.call({ serverName, bindingId, catalogId, toolName, args });

  const startBad = () =>
    connections.start('bad').then(
      () => undefined,
      (error: unknown) => error as ServerError,
    );
  const first = startBad();
  const [good1, good2, mortal] = await Promise.all([
    connections.start('good1'),
    connections.start('good2'),
    connections.start('mortal'),
  ]);
  const calls = Array.from({ length: 25 }, (_, n) => [
    call(good1, 'echo', { n }),
    call(good2, 'echo', { n }),
  ]).flat();
  // Ten starts, some of them while an earlier one has not ended.
  const starts = [await first];
  for (let pair = 0; pair < 5; pair += 1) starts.push(...(await Promise.all([startBad(), startBad()])));
  const outcomes = starts.map((error) => ({ code: error?.code, status: error?.status, phase: error?.phase }));
  const failed = { code: 'peer_exited', status: 500, phase: 'initialize' };
  const busy = { code: 'busy', status: 409, phase: undefined };
  expect(outcomes).toEqual([failed, ...Array.from({ length: 5 }, () => [failed, busy]).flat()]);

  await expect(call(mortal, 'die')).rejects.toMatchObject({
    code: 'peer_exited',
    effects: 'possible',
    serverStatus: 'error',
    message: 'The server ended: with exit code 3.',
  });
  expect((await Promise.all(calls)).map(({ content }) => content)).toEqual(
    Array.from({ length: 50 }, (_, n) => [{ type: 'text', text: `{"n":${Math.floor(n / 2)}}` }]),
  );
  expect(connections.list()).toMatchObject([
    { serverName: 'bad', status: 'error', failure: { message: 'The server ended: with exit code 1.' } },
    { serverName: 'good1', status: 'running', bindingId: good1.bindingId, catalogId: good1.catalogId },
    { serverName: 'good2', status: 'running', bindingId: good2.bindingId, catalogId: good2.catalogId },
    { serverName: 'mortal', status: 'error', processId: null, failure: { code: 'peer_exited' } },
  ]);
  expect(launches()).toBe(6);
});
