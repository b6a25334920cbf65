import { type ChildProcess, spawn } from 'node:child_process';
import type { Account } from './account.ts';
import type { Binaries } from './binaries.ts';
import { PATH } from './lock.ts';

/** What every program of the server is started with. */
export interface Host {
  readonly binaries: Binaries;
  readonly account: Account;
  /** Inherited, so that the folder stays locked until the last process of the server has ended. */
  readonly lockFd: number;
}

/**
 * Starts a program of PostgreSQL as the server's user, in a session of its own (Ctrl-C is for us, not for it), with nothing of our
 * environment, and with `deathSignal` as its end when we die. Call it on the main thread: the signal comes when the starting thread ends.
 */
export function startProgram(
  { binaries, account, lockFd }: Host,
  deathSignal: 'INT' | 'KILL',
  name: string,
  args: readonly string[],
): ChildProcess {
  const command = `${binaries.programs}/${name}`;
  return spawn('setpriv', [...account.become, `--pdeathsig=${deathSignal}`, command, ...args], {
    env: { PATH, LD_LIBRARY_PATH: binaries.libraryPath, LC_ALL: 'C' },
    stdio: ['pipe', 'pipe', 'pipe', lockFd],
    detached: true,
    cwd: '/',
  });
}
