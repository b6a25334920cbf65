import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { withDeadline } from './deadline.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

it('a deadline is kept also where only its signal is, and garbage is collected meanwhile', async () => {
  const signal = withDeadline(new AbortController().signal, 300);
  const over = once(signal, 'abort');
  for (let times = 0; times < 3; times += 1) {
    await pause(10);
    collectGarbage();
  }
  await over;
  expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
});

it('a deadline ends early with the signal that it is given', () => {
  const caller = new AbortController();
  const signal = withDeadline(caller.signal, 60_000);
  caller.abort(new Error('gone'));
  expect(signal.reason).toMatchObject({ message: 'gone' });
});
