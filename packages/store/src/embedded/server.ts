import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { Misconfigured } from '../errors.ts';
import type { Log } from '../pool.ts';
import { failure } from './disk.ts';
import { missingProgram } from './platform.ts';
import { identify, type ProcessIdentity, servesFrom } from './proc.ts';
import { type Host, startProgram } from './program.ts';
import { makeSocketFolder, removeSocketFolder } from './socket-folder.ts';

/** A PostgreSQL of ours that answers on a socket. */
export interface Server {
  readonly socketFolder: string;
  readonly process: ProcessIdentity;
  /** Fulfils when the process has ended, for whatever reason. */
  readonly ended: Promise<void>;
  /** Ends it without loss: sessions are cut, open transactions rolled back. */
  stop(): Promise<void>;
}

/** Recovery after a crash may read much of the log. */
const START_MS = 300_000;
const FAST_STOP_MS = 30_000;
const QUICK_STOP_MS = 5_000;
const LAST_WORDS_MS = 1_000;

/**
 * Starts the server of a cluster on a socket in a new 0700 folder and waits until it answers. Throws what it said last when it ends
 * instead.
 */
export async function startServer(host: Host, cluster: string, app: string, log: Log): Promise<Server> {
  await clearStalePidFile(cluster);
  const socketFolder = await makeSocketFolder(cluster, host.account);
  const child = startProgram(host, 'INT', 'postgres', ['-D', cluster, ...settings(socketFolder, app)]);
  const ended = end(child, socketFolder);
  child.stdin?.end();
  child.stdout?.resume();
  const impatience = setTimeout(() => child.kill('SIGQUIT'), START_MS);
  await ready(child, ended, log).finally(() => clearTimeout(impatience));
  const identity = await identify(child.pid ?? 0);
  if (identity === undefined) throw new Error('The database server ended as soon as it was ready');
  return { socketFolder, process: identity, ended, stop: () => stop(child, ended) };
}

function settings(socketFolder: string, app: string): string[] {
  return Object.entries({
    unix_socket_directories: socketFolder,
    listen_addresses: '',
    port: '5432',
    cluster_name: app,
    // Ten for each of several nodes that share one folder.
    max_connections: '100',
    timezone: 'UTC',
    // Statements and values must not reach the log: only what the server says about itself does.
    log_min_messages: 'log',
    log_min_error_statement: 'panic',
    log_checkpoints: 'off',
    log_timezone: 'UTC',
    // One server, no replicas.
    wal_level: 'minimal',
    max_wal_senders: '0',
    max_logical_replication_workers: '0',
    io_method: 'sync',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Waits for the server's own word, so that nothing is polled. */
async function ready(child: ChildProcess, ended: Promise<void>, log: Log): Promise<void> {
  if (!child.stderr) throw new Error('The server has no stderr');
  let last = '';
  await new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stderr as Readable }).on('line', (line) => {
      if (/LOG: +database system is ready to accept connections/.test(line)) resolve();
      if (/(FATAL|PANIC): |not properly shut down/.test(line)) log('the database server says', { line });
      last = line;
    });
    ended.then(() => reject(failure('The database server did not start', last)), reject);
  });
}

/** Orphans of a killed server may keep its pipe open for a while: the lock tells when they have gone, we do not wait for them. */
async function end(child: ChildProcess, socketFolder: string): Promise<void> {
  const lastWords = once(child, 'close').catch(() => undefined);
  try {
    await once(child, 'exit');
  } catch (error) {
    throw missingProgram('setpriv', error);
  } finally {
    await Promise.race([lastWords, pause(LAST_WORDS_MS, undefined, { ref: false })]);
    child.stderr?.destroy();
    await removeSocketFolder(socketFolder);
  }
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  const signals = [
    ['SIGINT', FAST_STOP_MS],
    ['SIGQUIT', QUICK_STOP_MS],
    ['SIGKILL', QUICK_STOP_MS],
  ] as const;
  for (const [signal, ms] of signals) {
    child.kill(signal);
    const patience = new AbortController();
    const late = pause(ms, 'late', { signal: patience.signal, ref: false }).catch(() => undefined);
    const first = await Promise.race([ended, late]);
    patience.abort();
    if (first !== 'late') return;
  }
}

/**
 * A killed server leaves its pid file, and PostgreSQL refuses to start while any process has that number. We hold the lock, so no server of
 * ours runs here; the file goes when its process is certainly no server of this cluster, and stays when it may be one.
 */
async function clearStalePidFile(cluster: string): Promise<void> {
  const file = join(cluster, 'postmaster.pid');
  const pid = await pidIn(file);
  if (pid === undefined || (await identify(pid)) === undefined) return;
  if ((await servesFrom(pid, cluster)) !== 'no')
    throw new Misconfigured(
      'folder_in_use',
      `Process ${pid} seems to be a PostgreSQL that was started by hand on ${cluster}: end it first`,
    );
  await unlink(file);
}

async function pidIn(file: string): Promise<number | undefined> {
  const content = await readFile(file, 'utf8').catch(() => '');
  const pid = Number.parseInt(content, 10);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}
