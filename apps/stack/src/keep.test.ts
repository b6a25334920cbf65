import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { processIdentity } from '@portolan/process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Endpoint, Place } from './apps/app.ts';
import { homeOf, makeHome } from './home.ts';
import { keepRunning } from './keep.ts';
import type { Kept, Patience } from './keep.ts';
import { ready, scriptApp } from './testing/script-app.ts';

let root: string;
let folder: string;
let kept: Kept | undefined;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'keep-'));
  folder = join(root, 'data', 'app');
  await makeHome(homeOf(root, root));
  await mkdir(folder, { recursive: true });
});
afterEach(async () => {
  await kept?.stop();
  await rm(root, { recursive: true });
});

/** Keeps a script running as an app, and notes each change of its endpoint. */
async function keep(script: string, patience: Partial<Patience> = {}) {
  const home = homeOf(root, root);
  const place: Place = {
    home,
    ports: {},
    secrets: { APP_TOKEN: 'of the app' },
    settings: {},
    environment: {},
  };
  const seen: (number | undefined)[] = [];
  const waiting: (() => void)[] = [];
  const changed = (endpoint?: Endpoint) => {
    seen.push(endpoint?.pid);
    for (const look of waiting.splice(0)) look();
    return Promise.resolve();
  };
  kept = keepRunning(scriptApp('app', script), place, changed, {
    readyMs: 60_000,
    graceMs: 60_000,
    ...patience,
  });
  const { ended, stop } = kept;
  ended.catch(() => undefined);
  const changes = async (count: number) => {
    while (seen.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    return seen;
  };
  return { ended, stop, changes };
}

const isAlive = (pid: number | undefined) => pid !== undefined && processIdentity(pid) !== undefined;

/** What a script has written by now. */
const written = (file: string) => readFile(join(folder, file), 'utf8').catch(() => '');

describe('an app that is kept', () => {
  it('is ready when it says so, and no longer after it was stopped', async () => {
    const { changes, stop, ended } = await keep(ready);
    const [pid] = await changes(1);
    expect(isAlive(pid)).toBe(true);
    await stop();
    await ended;
    expect(await changes(2)).toEqual([pid, undefined]);
    expect(isAlive(pid)).toBe(false);
  });

  it('is not ready by what an earlier process said', async () => {
    const earlier = { pid: process.pid, startTime: 1, origin: 'http://127.0.0.1:1' };
    await writeFile(join(folder, 'endpoint.json'), JSON.stringify(earlier));
    const { ended } = await keep('setInterval(() => {}, 1000)', { readyMs: 300 });
    await expect(ended).rejects.toThrow(/^It did not say in 0\.3 s that it is ready/);
  });

  it('is started again when it ends with 75', async () => {
    const asks = `if (!existsSync('asked')) setInterval(() => existsSync('asked') && process.exit(75), 20);`;
    const { changes } = await keep(ready + asks);
    const [first] = await changes(1);
    await writeFile(join(folder, 'asked'), '');
    const [, gone, second] = await changes(3);
    expect(gone).toBeUndefined();
    expect(second).not.toBe(first);
    expect([isAlive(first), isAlive(second)]).toEqual([false, true]);
  });

  it('is given up when it asks for that without end', async () => {
    const { ended } = await keep(
      `import { appendFileSync } from 'node:fs'; appendFileSync('starts', 'x'); process.exit(75);`,
    );
    await expect(ended).rejects.toMatchObject({ code: 75 });
    expect(await written('starts')).toBe('xxxxxx');
  });

  it('is lost when it ends in any other way, with its code and the end of its log', async () => {
    const { ended } = await keep(`console.error('DATABASE_URL is missing.'); process.exit(78);`);
    await expect(ended).rejects.toMatchObject({
      code: 78,
      message: `app ended with exit code 78. The end of its log, ${root}/logs/app.log:\n  DATABASE_URL is missing.`,
    });
  });

  it('is killed when it does not end, with its process group', async () => {
    const child = `
      import { spawn } from 'node:child_process';
      process.on('SIGTERM', () => {});
      writeFileSync('child', String(spawn('sleep', ['1000'], { stdio: 'ignore' }).pid));`;
    const { changes, stop } = await keep(ready + child, { graceMs: 100 });
    const [pid] = await changes(1);
    await expect.poll(() => written('child')).toMatch(/^\d+$/);
    const pidOfChild = Number(await written('child'));
    expect(isAlive(pidOfChild)).toBe(true);
    await stop();
    expect(isAlive(pid)).toBe(false);
    await expect.poll(() => isAlive(pidOfChild)).toBe(false);
  });

  it('gets its own secrets and no other variable', async () => {
    const { changes } = await keep(`${ready} writeFileSync('environment', JSON.stringify(process.env));`);
    await changes(1);
    await expect.poll(() => written('environment')).toBe('{"APP_TOKEN":"of the app"}');
  });
});
