import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, isAlive } from '../embedded/proc.ts';

/** A folder of one process, and its removal. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

const NAME = 'portolan-test-';
const PLENTY = 2 * 2 ** 30;

/**
 * A new 0700 folder; in memory where there is plenty, so that tests do not wait for the disk with the product's own settings. It carries
 * the identity of its process in its name, by which `sweep` finds what killed runs left.
 */
export async function temporaryFolder(): Promise<TemporaryFolder> {
  const we = await identify(process.pid);
  const path = await mkdtemp(join(await quickParent(), `${NAME}${we?.pid}-${we?.startTime}-`));
  return { path, remove: () => remove(path) };
}

/** Removes the folders of processes that are no more. */
export async function sweep(): Promise<void> {
  const parent = await quickParent();
  for (const name of await readdir(parent)) {
    const [, pid, startTime] = /^portolan-test-(\d+)-(\d+)-/.exec(name) ?? [];
    if (pid === undefined || startTime === undefined) continue;
    if (!(await isAlive({ pid: Number(pid), startTime })))
      await remove(join(parent, name)).catch(() => undefined);
  }
}

async function quickParent(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => undefined);
  return memory !== undefined && memory.bavail * memory.bsize > PLENTY ? '/dev/shm' : tmpdir();
}

function remove(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
