import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { Credentials } from './cluster.ts';
import { isAlive, type ProcessIdentity } from './proc.ts';

/** What a guest needs to join: written (0600) by the owner of a running server. */
export interface ServerFile extends Credentials {
  readonly socketFolder: string;
  readonly owner: ProcessIdentity;
  readonly server: ProcessIdentity;
}

/** Replaces the file in one step. */
export async function writeServerFile(path: string, content: ServerFile): Promise<void> {
  const fresh = `${path}.new`;
  await rm(fresh, { force: true });
  await writeFile(fresh, JSON.stringify(content), { mode: 0o600, flag: 'wx' });
  await rename(fresh, path);
}

/** The file as it stands, whoever wrote it. */
export async function readServerFile(path: string): Promise<ServerFile | undefined> {
  const content = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return content === undefined ? undefined : (JSON.parse(content) as ServerFile);
}

/** Whether that server is there to stay: it ends when its owner dies. */
export async function stands({ owner, server }: ServerFile): Promise<boolean> {
  return (await isAlive(owner)) && (await isAlive(server));
}
