import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { levels, openScopes } from './scopes.ts';
import { drive, openHome, users } from './testing/driver.ts';
import { killAll, sleeping, uniqueNap } from './testing/peers.ts';

const PATH = { PATH: '/usr/bin:/bin' };

const asRoot = users.includes('nobody');

let nap: number;
beforeEach(() => {
  nap = uniqueNap();
});
afterEach(() => killAll(nap));

describe.each(levels)('the end of a scope at the level $name', (level) => {
  it('needs no signal where the command ends with its input, and no grace', async (test) => {
    const scopes = await openScopes([level]).catch((error: Error) => test.skip(error.message));
    const scope = await scopes.start({ command: 'cat', args: [], env: PATH, cwd: '/' });
    expect(await scope.end({ grace: 60_000 })).toEqual({ contained: true });
    expect(await scope.exited).toEqual({ code: 0, signal: null });
    expect([scope.stdin.destroyed, scope.stdout.destroyed, scope.stderr.destroyed]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it('says that it took SIGKILL', async (test) => {
    const scopes = await openScopes([level]).catch((error: Error) => test.skip(error.message));
    const launch = { command: 'sh', args: ['-c', `trap '' TERM; exec sleep ${nap}`], env: PATH, cwd: '/' };
    const scope = await scopes.start(launch);
    await expect.poll(() => sleeping(nap)).toBe(1);
    expect(await scope.end({ grace: 40 })).toEqual({ contained: true });
    expect(await scope.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('can be asked for again, and after the command has ended by itself', async (test) => {
    const scopes = await openScopes([level]).catch((error: Error) => test.skip(error.message));
    const scope = await scopes.start({ command: 'sh', args: ['-c', 'exit 3'], env: PATH, cwd: '/' });
    expect(await scope.exited).toEqual({ code: 3, signal: null });
    const ends = [await scope.end({ grace: 0 }), await scope.end({ grace: 0 })];
    expect(ends).toEqual([{ contained: true }, { contained: true }]);
  });
});

describe('a process that may not be killed', () => {
  // Root plays a child that became another user's (as behind `sudo`): it carries the marks, and nobody may not kill it.
  it.runIf(asRoot)('SAI-36.6 makes the end not contained, by name, until it is gone', async () => {
    const home = openHome();
    const launch = { command: 'sleep', args: [String(nap)], env: PATH, cwd: '/' };
    const driver = drive(home.home, 'nobody', { level: 'sweep', launches: [launch], grace: 0 });
    const { pids: [pid = 0] = [] } = await driver.report();
    await expect.poll(() => sleeping(nap)).toBe(1);
    const [signals = 0, queue = 0] = ['Max pending signals', 'Max msgqueue size'].map((row) =>
      limit(pid, row),
    );
    const args = [`--sigpending=${signals}:${signals}`, `--msgqueue=${queue}:${queue}`, 'sleep', String(nap)];
    const foreign = spawn('prlimit', args, { stdio: 'ignore' });
    await expect.poll(() => sleeping(nap)).toBe(2);

    expect((await driver.end()).ends).toEqual([{ contained: false, pids: [foreign.pid] }]);
    foreign.kill('SIGKILL');
    await once(foreign, 'exit');
    expect((await driver.end()).ends).toEqual([{ contained: true }]);
    await driver.close();
    home.close();
  });
});

function limit(pid: number, row: string): number {
  const line = readFileSync(`/proc/${pid}/limits`, 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(row));
  return Number(line?.slice(row.length).trim().split(/\s+/)[0]);
}
