import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { survey } from './survey.ts';

const born: ChildProcess[] = [];
afterEach(async () => {
  for (const child of born.splice(0)) {
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
  }
});

function bear(): number {
  const child = spawn('/bin/sleep', ['1000'], { stdio: 'ignore' });
  born.push(child);
  return child.pid ?? 0;
}

describe('a look at all processes', () => {
  it('meets a process that is born while it looks', async () => {
    const look = () => {
      let pid: number | undefined;
      const { found, whole } = survey((examined) => {
        pid ??= bear();
        return examined === pid;
      });
      return { met: found.length === 1 && found[0] === pid, whole };
    };
    // No look is whole while somebody else on this machine starts processes without end.
    await expect.poll(look).toEqual({ met: true, whole: true });
  });

  it('is not whole where births do not end', () => {
    let latest: number | undefined;
    const { whole } = survey((examined) => {
      if (latest === undefined || examined === latest) latest = bear();
      return false;
    });
    expect(whole).toBe(false);
  });
});
