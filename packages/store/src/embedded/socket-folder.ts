import { createHash } from 'node:crypto';
import { chown, lstat, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';

/** The path of a unix socket has at most 107 bytes on Linux. */
const LONGEST_SOCKET = 107;
const SOCKET = '.s.PGSQL.5432';

/**
 * A new 0700 folder of the server's user for its socket, below the temporary folder if that is short enough. What killed servers of the
 * same cluster left there is removed: call with the lock held.
 */
export async function makeSocketFolder(cluster: string, { uid, gid }: Account): Promise<string> {
  const prefix = `portolan-pg-${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}-`;
  const parent = fits(join(tmpdir(), `${prefix}XXXXXX`)) ? tmpdir() : '/tmp';
  await clear(parent, prefix, [uid, process.geteuid?.() ?? uid]);
  const folder = await mkdtemp(join(parent, prefix));
  await chown(folder, uid, gid);
  return folder;
}

export function removeSocketFolder(path: string): Promise<void> {
  return rm(path, { recursive: true, force: true });
}

function fits(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET)) <= LONGEST_SOCKET;
}

/** Others may have made folders with such a name in a folder that is everybody's: those stay. */
async function clear(parent: string, prefix: string, users: readonly number[]): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const { uid } = await lstat(join(parent, name));
    if (users.includes(uid)) await removeSocketFolder(join(parent, name));
  }
}
