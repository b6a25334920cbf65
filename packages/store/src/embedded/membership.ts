import { mkdir } from 'node:fs/promises';
import { Misconfigured } from '../errors.ts';
import type { Access, Log } from '../pool.ts';
import { otherApp } from './cluster.ts';
import { type Layout, layoutOf } from './layout.ts';
import { takeLock } from './lock.ts';
import { join, own, type Part } from './part.ts';
import { isAlive, sendSignal } from './proc.ts';
import { readServerFile, stands } from './server-file.ts';

/** Our part in the one server of a data folder: we run it, or we use the one that somebody else runs. */
export interface Membership {
  readonly access: Access;
  readonly owner: () => boolean;
  /** Ends the server if it is ours. Close all connections before. */
  readonly leave: () => Promise<void>;
}

export interface MembershipOptions {
  readonly dataDir: string;
  readonly app: string;
  readonly log: Log;
  /** Ends the first waiting. */
  readonly signal: AbortSignal;
}

/** How long we wait for somebody else's server to be ready, or gone. */
const PATIENCE_MS = 60_000;
/** How long we wait for the lock before we look whether a server can be joined. */
const LOOK_MS = 200;

/**
 * Finds the server of `dataDir` or starts it. When the server goes away, because its owner ended or it was killed, the next connection finds
 * the new one or starts it: so there is a server for as long as anybody needs one.
 */
export async function openMembership(options: MembershipOptions): Promise<Membership> {
  const layout = layoutOf(options.dataDir);
  const leaving = new AbortController();
  let part = await takePart(layout, options);
  let change: Promise<Part> | undefined;

  async function locate(): Promise<string> {
    if (change === undefined && (await part.holds())) return part.socketFolder;
    change ??= takePart(layout, { ...options, signal: leaving.signal }).finally(() => (change = undefined));
    part = await change;
    return part.socketFolder;
  }

  return {
    access: {
      database: options.app,
      user: options.app,
      password: part.password,
      port: 5432,
      ssl: false,
      locate,
    },
    owner: () => part.owner,
    leave: async () => {
      leaving.abort(new Error('The store is closed'));
      const last = await change?.catch(() => undefined);
      await (last ?? part).leave();
    },
  };
}

async function takePart(layout: Layout, { app, log, signal }: MembershipOptions): Promise<Part> {
  await mkdir(layout.home, { recursive: true, mode: 0o700 }).catch(refuseStranger(layout));
  const end = performance.now() + PATIENCE_MS;
  for (let waitMs = 0; !signal.aborted && performance.now() < end; waitMs = LOOK_MS) {
    const lock = await takeLock(layout.lock, waitMs).catch(refuseStranger(layout));
    if (lock !== undefined) return own(layout, lock, app, log);
    const file = await readServerFile(layout.serverFile).catch(refuseStranger(layout));
    if (file === undefined) continue;
    if (file.app !== app) throw otherApp(layout.home, file.app, app);
    if (await stands(file)) return join(file);
    // The kernel has told the server of a dead owner to end. Where it could not, we do.
    if (!(await isAlive(file.owner))) await sendSignal(file.server, 'SIGINT');
  }
  signal.throwIfAborted();
  throw new Misconfigured(
    'folder_in_use',
    `${layout.home} is locked by a process that offers no server: end it, or wait until it has ended`,
  );
}

function refuseStranger({ home }: Layout): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'EACCES') throw error;
    throw new Misconfigured('other_user', `${home} belongs to another user: run as the user that made it`, {
      cause: error,
    });
  };
}
