import { constants } from 'node:fs';
import { access, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The operator must name another folder, or let this user write to this one. */
class UnusableFolder extends Error {
  override readonly name = 'Misconfigured';
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not write there',
  EEXIST: 'it is a file',
  ENOTDIR: 'a file stands on the way to it',
  ENOENT: 'no folder can be made there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
};

/**
 * The folder that a program keeps its data in: made (mode 0700) unless it is there. Throws a Misconfigured that names the folder and
 * says why it is of no use.
 */
export async function dataFolder(folder: string): Promise<void> {
  try {
    await make(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    throw new UnusableFolder(`${folder} cannot hold our data: ${reasons[code] ?? message}.`, {
      cause: error,
    });
  }
}

/** Not by `recursive`, which says ENOENT of a read-only file system, and has no end where nothing can be made, as in `/proc`. */
async function make(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const above = dirname(folder);
    if (code === 'ENOENT' && !(await isFolder(above))) {
      await make(above);
      return make(folder);
    }
    if (!(await isFolder(folder))) throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
