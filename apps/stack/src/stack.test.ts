import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { homeOf, makeHome } from './home.ts';
import type { Home } from './home.ts';
import { startStack } from './stack.ts';
import type { Stack } from './stack.ts';
import { ready, scriptApp } from './testing/script-app.ts';

let home: Home;
let stack: Stack | undefined;
beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'stack-'));
  home = homeOf(root, root);
  await makeHome(home);
});
afterEach(async () => {
  await stack?.stop();
  await rm(home.root, { recursive: true });
});

function start(scripts: Record<string, string>): Stack {
  const apps = Object.entries(scripts).map(([name, script]) => scriptApp(name, script));
  stack = startStack(
    apps,
    () => ({ home, ports: {}, secrets: {}, settings: {}, environment: {} }),
    home.stack,
  );
  stack.ended.catch(() => undefined);
  return stack;
}

/** Notes in a file of the home that this app was told to end, and ends. */
const notes = (name: string) => `
  process.on('SIGTERM', () => { appendFileSync('../../ends', '${name} '); setTimeout(() => process.exit(0), 50); });
  ${ready}`;

const waits = (file: string) => `
  import { access } from 'node:fs/promises';
  while (!(await access('../../${file}').then(() => true, () => false)));`;

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  );

describe('a stack', () => {
  it('says where everything is while all of it is ready, and only then', async () => {
    await writeFile(home.stack, 'left by one that was killed');
    const { ready: allReady, stop } = start({
      first: waits('first') + ready,
      second: waits('second') + ready,
    });
    await expect.poll(() => exists(home.stack)).toBe(false);
    await writeFile(join(home.root, 'first'), '');
    await expect.poll(() => exists(join(home.data, 'first', 'endpoint.json'))).toBe(true);
    expect(await exists(home.stack)).toBe(false);
    await writeFile(join(home.root, 'second'), '');
    expect(Object.keys(await allReady)).toEqual(['first', 'second']);
    expect(JSON.parse(await readFile(home.stack, 'utf8'))).toEqual({
      first: { origin: 'http://127.0.0.1:1' },
      second: { origin: 'http://127.0.0.1:1' },
      pid: process.pid,
    });
    await stop();
    expect(await exists(home.stack)).toBe(false);
  });

  it('ends the last app first, one after the other', async () => {
    const { ready: allReady, stop } = start({ first: notes('first'), second: notes('second') });
    await allReady;
    await stop();
    expect(await readFile(join(home.root, 'ends'), 'utf8')).toBe('second first ');
  });

  it('ends the others when one is lost', async () => {
    const fails = `${waits('go')}process.exit(78);`;
    const { ended } = start({ first: notes('first'), second: fails, third: notes('third') });
    for (const name of ['first', 'third'])
      await expect.poll(() => exists(join(home.data, name, 'endpoint.json'))).toBe(true);
    await writeFile(join(home.root, 'go'), '');
    await expect(ended).rejects.toMatchObject({ code: 78 });
    expect(await readFile(join(home.root, 'ends'), 'utf8')).toBe('third first ');
  });
});
