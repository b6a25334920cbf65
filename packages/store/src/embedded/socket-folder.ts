import { createHash } from 'node:crypto';
import { chown, lstat, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Account } from './account.ts';

/** The path of a unix socket has at most 107 bytes on Linux. */
const LONGEST_SOCKET = 107;
const SOCKET = '.s.PGSQL.5432';
const ANY = 'portolan-pg-';
/** A folder that has been empty for so long is not that of a server about to start. */
const SURELY_STARTED_MS = 600_000;

/**
 * A new 0700 folder of the server's user for its socket, below the temporary folder if that is short enough. Call
 * with the lock held.
 */
export async function makeSocketFolder(cluster: string, { uid, gid }: Account): Promise<string> {
  const prefix = `${ANY}${createHash('sha256').update(cluster).digest('hex').slice(0, 12)}-`;
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

/**
 * What killed servers left: all of this cluster, and the empty ones of clusters that nobody opens any more. Others may have made folders
 * with such names in a place that is everybody's: those stay.
 */
async function clear(parent: string, prefix: string, users: readonly number[]): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(ANY)) continue;
    const path = join(parent, name);
    const folder = await lstat(path).catch(() => undefined);
    if (folder === undefined || !users.includes(folder.uid)) continue;
    if (name.startsWith(prefix)) await removeSocketFolder(path);
    else if (Date.now() - folder.mtimeMs > SURELY_STARTED_MS) await rmdir(path).catch(() => undefined);
  }
}
