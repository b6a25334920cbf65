import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SCRIPT = `
  import { writeFileSync } from 'node:fs';
  import { endWithNpm } from ${JSON.stringify(new URL('../dist/npm.js', import.meta.url).href)};
  process.on('SIGTERM', () => { writeFileSync('gone', ''); process.exit(0); });
  endWithNpm(process.env);
  console.log(process.pid);
  setInterval(() => console.log('lives'), 1000);`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-npm-'));
  await writeFile(join(folder, 'script.mjs'), SCRIPT);
  await mkdir(join(folder, 'node_modules/.bin'), { recursive: true });
  const program = join(folder, 'node_modules/.bin/program');
  await writeFile(program, `#!${process.execPath}\nimport(${JSON.stringify(join(folder, 'script.mjs'))});`, {
    mode: 0o755,
  });
  const scripts = { start: 'true && node script.mjs' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'a', version: '1.0.0', scripts }));
});
afterEach(() => rm(folder, { recursive: true }));

/** Starts a command and ends it when the script below it runs: the script's pid, and what it says from then on. */
async function killed(
  command: string,
  args: readonly string[],
  { env = {}, signal = 'SIGKILL' }: { env?: NodeJS.ProcessEnv; signal?: NodeJS.Signals } = {},
) {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const [pid] = (await once(lines, 'line')) as [string];
  const exit = once(child, 'exit');
  child.kill(signal);
  await exit;
  return { pid: Number(pid), lines };
}

it('a process that npm started is ended when npm was killed', async () => {
  const { lines } = await killed('npm', ['start', '--silent']);
  await once(lines, 'close');
  expect(existsSync(join(folder, 'gone'))).toBe(true);
});

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'a program that npx started is ended when npx was ended by %s',
  async (signal) => {
    const { lines } = await killed('npx', ['--no-install', 'program'], { signal });
    await once(lines, 'close');
    expect(existsSync(join(folder, 'gone'))).toBe(true);
  },
);

it('a process that a shell started outlives the shell, also with the variables of an npm around it', async () => {
  const { pid, lines } = await killed('sh', ['-c', 'node script.mjs; true'], {
    env: { npm_lifecycle_event: 'start' },
  });
  for (let seconds = 0; seconds < 3; seconds += 1) await once(lines, 'line');
  process.kill(pid, 'SIGKILL');
  await once(lines, 'close');
  expect(existsSync(join(folder, 'gone'))).toBe(false);
});
