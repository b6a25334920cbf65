import { expect, it } from 'vitest';
import { napOfTest } from '../testing/outward.ts';
import { playCall } from '../testing/played.ts';

it('SAI-35.5 a turn tells how far the call of a server is', async () => {
  const working = { toolName: 'trigger-long-running-operation', args: { duration: 0.1, steps: 2 } };
  const turn = await playCall(napOfTest(), working, [{ text: 'Done.' }]);
  const told: unknown[] = [];
  for await (const event of turn.run(new AbortController().signal))
    if (event.type === 'progress') told.push([event.progress, event.total]);
    else if (event.type === 'turn.end') told.push(event.reason);
  expect(told).toEqual([[1, 2], [2, 2], 'answered']);
});
