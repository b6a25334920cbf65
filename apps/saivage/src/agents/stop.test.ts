import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { callsOf, type TurnEvent } from '@portolan/agent';
import { living } from '@portolan/process/testing';
import { expect, it, onTestFinished } from 'vitest';
import { napOfTest } from '../testing/outward.ts';
import { playCall } from '../testing/played.ts';

it('SAI-35.3 a turn that is stopped gives up its call, and tells so once the server has ended', async () => {
  const mark = napOfTest();
  const silent = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void silent.close());
  await once(silent, 'listening');
  const { port } = silent.address() as AddressInfo;

  const fetching = { toolName: 'gzip-file-as-resource', args: { data: `http://127.0.0.1:${port}/` } };
  const { transcript, run } = await playCall(mark, fetching);

  const stop = new AbortController();
  silent.once('connection', (socket) => {
    socket.on('error', () => undefined);
    stop.abort();
  });
  const events: TurnEvent[] = [];
  for await (const event of run(stop.signal)) {
    if (event.type === 'result' && events.some(({ type }) => type === 'result'))
      expect(living(mark)).toEqual([]);
    events.push(event);
  }
  expect(events.at(-1)).toMatchObject({ type: 'turn.end', reason: 'stopped' });
  const call = transcript.entries.flatMap(callsOf).at(-1);
  expect(call?.result?.structuredContent).toMatchObject({
    success: false,
    error: { code: 'cancelled', details: { effects: 'possible' } },
  });
});
