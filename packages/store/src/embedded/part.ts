import { rm } from 'node:fs/promises';
import type { Log } from '../pool.ts';
import { serverAccount } from './account.ts';
import { prepareBinaries } from './binaries.ts';
import { ensureCluster } from './cluster.ts';
import { clusterIn, type Layout } from './layout.ts';
import type { FolderLock } from './lock.ts';
import { nativePackage, thisPlatform } from './platform.ts';
import { identify, isAlive } from './proc.ts';
import type { Host } from './program.ts';
import { type Server, startServer } from './server.ts';
import { type ServerFile, stands, writeServerFile } from './server-file.ts';

/** What we are to the server of a data folder, for as long as it holds. */
export interface Part {
  readonly owner: boolean;
  readonly socketFolder: string;
  readonly password: string;
  /** False once the server has ended, or is about to. */
  readonly holds: () => Promise<boolean>;
  readonly leave: () => Promise<void>;
}

/** Runs the server. The lock is ours to free: at once when this fails, else when the server has ended. */
export async function own(layout: Layout, lock: FolderLock, app: string, log: Log): Promise<Part> {
  try {
    return await start(layout, lock, app, log);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** Uses the server that another process runs. */
export function join(file: ServerFile): Part {
  const { socketFolder, password } = file;
  return { owner: false, socketFolder, password, holds: () => stands(file), leave: () => Promise.resolve() };
}

async function start(layout: Layout, lock: FolderLock, app: string, log: Log): Promise<Part> {
  await rm(layout.serverFile, { force: true });
  const host = await hostFor(layout, lock);
  const { password } = await ensureCluster(host, layout, app);
  const server = await startServer(host, clusterIn(layout.main), app, log);
  const over = afterwards();
  try {
    await announce(layout, server, app, password);
  } catch (error) {
    await server.stop();
    throw error;
  }

  async function afterwards(): Promise<void> {
    await server.ended;
    await lock.release();
  }

  const holds = (): Promise<boolean> => isAlive(server.process);
  return {
    owner: true,
    socketFolder: server.socketFolder,
    password,
    holds,
    leave: async () => {
      // When our server was killed, the file may be the word of its successor.
      if (await holds()) await rm(layout.serverFile);
      await server.stop();
      await over;
    },
  };
}

async function hostFor(layout: Layout, lock: FolderLock): Promise<Host> {
  const native = await nativePackage(thisPlatform());
  const binaries = await prepareBinaries(native, layout.links);
  return { binaries, account: await serverAccount(), lockFd: lock.fd };
}

async function announce(layout: Layout, server: Server, app: string, password: string): Promise<void> {
  const owner = await identify(process.pid);
  if (owner === undefined) throw new Error('/proc does not know us');
  const { socketFolder, process: identity } = server;
  await writeServerFile(layout.serverFile, { app, password, socketFolder, owner, server: identity });
}
