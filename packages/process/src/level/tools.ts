import { spawn } from 'node:child_process';
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';

/** Where distributions keep util-linux and coreutils. Our own PATH is not asked: a project could put anything there. */
const FOLDERS = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/run/current-system/sw/bin'];

/** Longest time that a try-out may take, in milliseconds: a busy machine is not to pass for one that cannot. */
const TRY_OUT_MS = 30_000;

/** The absolute path of a system program, or undefined. */
export async function findProgram(name: string): Promise<string | undefined> {
  for (const folder of FOLDERS) {
    const path = join(folder, name);
    const works = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (works) return path;
  }
  return undefined;
}

/**
 * Runs a command line to its end, or to that of its time in milliseconds: undefined when it exits as expected, else what it said
 * instead.
 */
export async function tryOut(
  argv: readonly [string, ...string[]],
  exitCode: number,
  timeout = TRY_OUT_MS,
): Promise<string | undefined> {
  const [program, ...args] = argv;
  // `unshare` is deaf to SIGTERM while it waits for what it started.
  const child = spawn(program, args, {
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout,
    killSignal: 'SIGKILL',
  });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    if (said.length < 200) said += chunk.toString();
  });
  return new Promise((settle) => {
    child.once('error', (error) => settle(error.message));
    child.once('close', (code, signal) => {
      const [line = ''] = said.trim().split('\n');
      settle(code === exitCode ? undefined : line.slice(0, 200) || `it ended with ${signal ?? code}`);
    });
  });
}
