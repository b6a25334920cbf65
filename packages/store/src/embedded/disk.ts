import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Misconfigured } from '../errors.ts';

/**
 * Returns when everything below `folder`, and the folder itself, is on the disk. Many files at a time, which a journal commits together:
 * several times faster than one after the other.
 */
export async function syncTree(folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await syncTree(path);
      else if (entry.isFile()) await syncPath(path);
    }),
  );
  await syncPath(folder);
}

/** The content of a file, or the names in a folder. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Why a program of the server failed, by what it said: where the disk is full, its operator must act. */
export function failure(what: string, said: string): Error {
  const full = /^.*No space left on device.*$/m.exec(said)?.[0];
  return full === undefined
    ? new Error(`${what}: ${said}`)
    : new Misconfigured(
        'disk_full',
        `The disk of the database is full: free some space. It says: ${full.trim()}`,
      );
}
