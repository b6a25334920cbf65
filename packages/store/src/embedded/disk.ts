import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

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
