import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, rename, stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Trouble } from '@portolan/cli';
import type { Command } from './command.ts';

/** How a process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A started app. */
export interface Contained {
  readonly pid: number;
  readonly exited: Promise<Exit>;
  /** Asks it to end, and kills its process group when it has not after `graceMs`. Resolves when it has ended. */
  end(graceMs: number): Promise<void>;
}

/**
 * Starts a command in a session of its own, so that Ctrl-C reaches only us and we end it in order; and under the kernel's
 * promise that it is killed when we die (`setpriv --pdeathsig`), however that comes. It keeps its place among all processes,
 * unlike in a pid namespace: apps name themselves by pid in their locks. Its output goes to a file.
 */
export async function startContained(command: Command, logFile: string): Promise<Contained> {
  const log = await openLog(logFile);
  const child = spawn('setpriv', ['--pdeathsig', 'KILL', command.file, ...command.args], {
    cwd: command.cwd,
    env: command.env,
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  const exited = new Promise<Exit>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  );
  await once(child, 'spawn').catch(missingSetpriv);
  await log.close();
  const { pid } = child;
  if (pid === undefined) throw new Error('A spawned process has no pid.');
  return {
    pid,
    exited,
    async end(graceMs) {
      child.kill('SIGTERM');
      const late = new AbortController();
      await Promise.race([exited, pause(graceMs, undefined, { signal: late.signal }).catch(() => undefined)]);
      late.abort();
      // The group is ours for as long as its leader has not been waited for.
      if (child.exitCode === null && child.signalCode === null) process.kill(-pid, 'SIGKILL');
      await exited;
    },
  };
}

function missingSetpriv(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new Trouble('setpriv is missing: install util-linux.') : error;
}

/** A log above this many bytes is put aside at the next start, in the place of the one before. */
const LARGE_LOG = 16 * 1024 * 1024;

async function openLog(file: string) {
  const { size } = await stat(file).catch(() => ({ size: 0 }));
  if (size > LARGE_LOG) await rename(file, `${file}.1`);
  return open(file, 'a', 0o600);
}
