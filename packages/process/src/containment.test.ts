import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, type TestContext } from 'vitest';
import type { LevelName } from './level/level.ts';
import { delegateGroup } from './testing/delegate.ts';
import { drive, openHome, users, type Driver, type Task, type User } from './testing/driver.ts';
import { heldBy, hopper, killAll, living, sleeping, stubborn, uniqueNap } from './testing/peers.ts';

const LEVELS: readonly LevelName[] = ['namespace', 'cgroup', 'sweep'];
const ROUNDS = process.env.PORTOLAN_TRUE_TIME ? 200 : 5;
const SOON = { interval: 10 };
const NOBODY = 65_534;
const asRoot = users.includes('nobody');

let home: ReturnType<typeof openHome>;
let nap: number;
const drivers: Driver[] = [];

beforeAll(() => {
  home = openHome();
});
afterAll(() => home.close());
beforeEach(() => {
  nap = uniqueNap();
});
afterEach(async () => {
  for (const driver of drivers.splice(0)) await driver.close();
  killAll(nap);
});

/** A driver that holds its scopes, or a test that says why this level cannot work here. */
async function holding(
  test: TestContext,
  user: User,
  task: Task,
  before: readonly string[] = [],
): Promise<Driver> {
  const driver = drive(home.home, user, task, before);
  drivers.push(driver);
  const { refused } = await driver.report();
  if (refused !== undefined) test.skip(refused);
  return driver;
}

function shell(script: string) {
  return { command: '/bin/sh', args: ['-c', script], env: { PATH: '/usr/bin:/bin' }, cwd: '/' };
}

const allPeers = () => Object.values(stubborn(nap)).map(({ script }) => shell(script));
const allUp = (level: LevelName) =>
  expect.poll(() => sleeping(nap), SOON).toBe(heldBy(Object.values(stubborn(nap)), level));

describe.each(users)('as %s', (user) => {
  describe.each(LEVELS)('at the level %s', (level) => {
    it('SAI-36.1 nothing of any stubborn peer is alive after its end', async (test) => {
      const driver = await holding(test, user, { level, launches: allPeers(), grace: 60 });
      await allUp(level);
      const { ends } = await driver.end();
      expect(ends).toEqual(allPeers().map(() => ({ contained: true })));
      expect(living(nap)).toEqual([]);
    });

    it(
      'SAI-36.2 rounds of start and end leave the counts of processes and open files as they were',
      { timeout: process.env.PORTOLAN_TRUE_TIME ? 1_200_000 : 300_000 },
      async (test) => {
        const [, worst] = allPeers();
        const launches = worst ? [worst] : [];
        const driver = drive(home.home, user, { level, launches, grace: 0, rounds: ROUNDS });
        drivers.push(driver);
        const { refused, contained, openFiles } = await driver.report();
        if (refused !== undefined) test.skip(refused);
        expect({ contained, openFiles }).toEqual({ contained: ROUNDS, openFiles: 0 });
        expect(living(nap)).toEqual([]);
        await test.annotate(`${ROUNDS} rounds, each contained; no open file more, no process left`);
      },
    );
  });

  it('SAI-36.4 when the starter is killed, nothing it started lives on', async (test) => {
    const driver = await holding(test, user, { level: 'namespace', launches: allPeers(), grace: 60 });
    await allUp('namespace');
    await driver.close('SIGKILL');
    await expect.poll(() => living(nap), SOON).toEqual([]);
  });

  it('SAI-36.1 nothing is alive behind npx', async (test) => {
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: '/nonexistent',
      npm_config_cache: home.home,
    };
    const args = ['--offline', '-c', `trap '' TERM; sleep ${nap} & sleep ${nap}`];
    const launches = [{ command: 'npx', args, env, cwd: '/' }];
    const driver = await holding(test, user, { level: 'namespace', launches, grace: 60 });
    await expect.poll(() => sleeping(nap), SOON).toBe(2);
    expect((await driver.end()).ends).toEqual([{ contained: true }]);
    expect(living(nap)).toEqual([]);
  });
});

it('SAI-36.3 SIGTERM reaches a server behind a wrapper that leaves at once, and it has its grace, at every level', async () => {
  const server = `trap 'sleep 0.2; echo saved; exit 0' TERM; echo up; while :; do sleep 0.01; done`;
  const launches = [shell(`sh -c '${server.replaceAll("'", `'"'"'`)}' & wait`)];
  // SIGTERM comes after half of the grace: so long a busy machine may take to start the server, and then to end it.
  const ways = users.flatMap((user) => LEVELS.map((level) => ({ user, level, launches, grace: 10_000 })));
  const ended = await Promise.all(
    ways.map(async ({ user, ...task }) => {
      const driver = drive(home.home, user, task);
      drivers.push(driver);
      const { refused } = await driver.report();
      return refused === undefined ? [await driver.end()] : [];
    }),
  );
  const found = ended.flat().map(({ ends, said }) => ({ ends, said }));
  expect(found).not.toEqual([]);
  expect(found).toEqual(found.map(() => ({ ends: [{ contained: true }], said: ['up\nsaved\n'] })));
});

describe('the level sweep', () => {
  it('SAI-36.1 catches up with a peer that runs ahead of every look', async (test) => {
    const launches = [shell(hopper(nap).script)];
    const driver = await holding(test, 'this user', { level: 'sweep', launches, grace: 0 });
    await expect.poll(() => sleeping(nap), SOON).toBe(1);
    expect((await driver.end()).ends).toEqual([{ contained: true }]);
    expect(living(nap)).toEqual([]);
  });
});

describe('the level cgroup', () => {
  it('SAI-36.1 holds for a user to whom a group was handed over', async (test) => {
    const group = delegateGroup(NOBODY) ?? test.skip('only root can hand a control group over');
    test.onTestFinished(() => group.close());
    const driver = await holding(
      test,
      'nobody',
      { level: 'cgroup', launches: allPeers(), grace: 60 },
      group.enter,
    );
    await allUp('cgroup');
    const { ends } = await driver.end();
    expect(ends).toEqual(allPeers().map(() => ({ contained: true })));
    expect(living(nap)).toEqual([]);
  });

  it.runIf(asRoot)('says why it does not work where no group was handed over', async () => {
    const driver = drive(home.home, 'nobody', { level: 'cgroup', launches: [], grace: 0 });
    drivers.push(driver);
    expect((await driver.report()).refused).toMatch(
      /^Child processes cannot be contained on this machine \(cgroup: our own control group cannot be divided \(E\w+\)\)\.$|no control groups of version 2/,
    );
  });
});

describe('processes that are not of the scope', () => {
  it.for(LEVELS)('SAI-36.5 are left alone at the level %s, and so are other scopes', async (level, test) => {
    const bystander = spawn('sleep', [String(nap + 1)], { detached: true, stdio: 'ignore' });
    await once(bystander, 'spawn');
    const launches = [shell(`exec sleep ${nap}`)];
    const [one, other] = [
      await holding(test, 'this user', { level, launches, grace: 0 }),
      await holding(test, 'this user', { level, launches, grace: 0 }),
    ];
    await expect.poll(() => sleeping(nap), SOON).toBe(2);
    await one.end();
    expect({ mine: sleeping(nap), strangers: sleeping(nap + 1) }).toEqual({ mine: 1, strangers: 1 });
    await other.end();
    bystander.kill();
    await once(bystander, 'exit');
  });
});
