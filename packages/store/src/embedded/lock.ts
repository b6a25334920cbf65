import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { missingProgram } from './platform.ts';

/** An exclusive lock that the kernel frees when the last process that holds `fd` has ended. */
export interface FolderLock {
  /** Handed to the server as well: the lock outlives us for as long as any process of the server does. */
  readonly fd: number;
  release(): Promise<void>;
}

/** Takes the lock, waiting up to `waitMs`. Nothing when another process has it. */
export async function takeLock(file: string, waitMs: number): Promise<FolderLock | undefined> {
  const handle = await open(file, 'a', 0o600);
  try {
    if (await flock(handle.fd, waitMs)) return { fd: handle.fd, release: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return undefined;
}

/** flock(1) locks the open file that it shares with us, and ends: the lock stays with the open file. */
async function flock(fd: number, waitMs: number): Promise<boolean> {
  const wait = waitMs === 0 ? ['-n'] : ['-w', String(waitMs / 1000)];
  const child = spawn('flock', ['-x', ...wait, '3'], {
    env: { PATH },
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  const [code] = (await once(child, 'exit').catch((error: unknown) => {
    throw missingProgram('flock', error);
  })) as [number | null];
  if (code !== 0 && code !== 1) throw new Error(`flock ended with ${code}`);
  return code === 0;
}

/** Where helper programs are looked for: never in the folders of the caller's PATH. */
export const PATH = '/usr/bin:/bin:/usr/sbin:/sbin';
