import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { identify, isAlive, type ProcessIdentity } from './proc.ts';
import type { ServerFile } from './server-file.ts';

/** What the fixture process says, one line at a time. */
export interface Answer {
  readonly mode?: string;
  readonly rows?: number;
  readonly written?: number;
  readonly stopped?: string;
  readonly hint?: string;
  readonly listening?: boolean;
  readonly interrupted?: boolean;
  readonly refused?: { readonly name: string; readonly code: string; readonly message: string };
}

/** A real process with a store open. */
export interface Opener {
  readonly child: ChildProcess;
  readonly pid: number;
  /** The next line it says. Fails when it ends instead. */
  next(): Promise<Answer>;
  /** Sends a command and waits for the answer. */
  ask(command: string): Promise<Answer>;
  /** Closes the store and waits for the end. */
  close(): Promise<void>;
  /** kill -9, and waits for the end. */
  kill(): Promise<void>;
}

const script = fileURLToPath(new URL('../../dist/embedded/opener.fixture.js', import.meta.url));

/** Starts a process that opens the store of `dataDir`; `prefix` is a command that runs it, for example as somebody else. */
export function startOpener(
  dataDir: string,
  { app = 'harbour', prefix = [] as readonly string[], path = script, env = {} } = {},
): Opener {
  const child = spawn('env', [...prefix, process.execPath, path, dataDir, app], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
    env: { ...process.env, ...env },
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = once(child, 'close');
  const next = async (): Promise<Answer> => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`The process ended (${child.exitCode ?? child.signalCode})`);
    return JSON.parse(line.value) as Answer;
  };
  return {
    child,
    pid: child.pid ?? 0,
    next,
    ask(command) {
      child.stdin.write(`${command}\n`);
      return next();
    },
    async close() {
      child.stdin.end();
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

export async function serverFileOf(dataDir: string): Promise<ServerFile> {
  return JSON.parse(await readFile(join(dataDir, 'database/server.json'), 'utf8')) as ServerFile;
}

/** Every living process that works in the cluster of `dataDir`, found by its working folder. */
export async function serverProcesses(dataDir: string): Promise<ProcessIdentity[]> {
  const found: ProcessIdentity[] = [];
  const cluster = join(dataDir, 'database/main/cluster');
  for (const entry of await readdir('/proc')) {
    const pid = Number(entry);
    if (!Number.isInteger(pid)) continue;
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    const process = cwd === cluster ? await identify(pid) : undefined;
    if (process) found.push(process);
  }
  return found;
}

/** Waits until that process waits for the lock of its data folder. */
export async function waitsForLock(pid: number): Promise<void> {
  for (;;) {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    for (const child of children.split(' ').filter(Boolean)) {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '');
      if (command.startsWith('flock\0-x\0-w')) return;
    }
    await pause(5);
  }
}

/** Waits until these processes are gone. */
export async function gone(processes: readonly ProcessIdentity[]): Promise<void> {
  for (const process of processes) while (await isAlive(process)) await pause(10);
}
