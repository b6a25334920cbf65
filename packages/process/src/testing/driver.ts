import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Launch } from '../launch.ts';
import type { Exit, LevelName } from '../level/level.ts';
import type { Containment } from '../scope.ts';

/** What the driver is told to do (see driver.mjs). */
export interface Task {
  readonly level: LevelName;
  readonly launches: readonly Launch[];
  /** Milliseconds. */
  readonly grace: number;
  /** Start and end all launches that often, one after the other, instead of holding them. */
  readonly rounds?: number;
}

/** What the driver says, a line each. */
export interface Report {
  readonly refused?: string;
  readonly pids?: readonly number[];
  readonly ends?: readonly Containment[];
  readonly exits?: readonly Exit[];
  /** What each command wrote to stdout. */
  readonly said?: readonly string[];
  readonly contained?: number;
  readonly openFiles?: number;
}

/** A running driver. */
export interface Driver {
  /** Its next line. */
  report(): Promise<Report>;
  /** Ends its scopes and answers what came of it. */
  end(): Promise<Report>;
  /** Ends the driver itself, orderly or by SIGKILL, and waits for it. */
  close(signal?: 'SIGKILL'): Promise<void>;
}

/** The user whom the driver runs as. Everybody can be himself; only root can be nobody as well. */
export type User = 'this user' | 'nobody';

const AS_NOBODY = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups'] as const;

/** The users whom we can be here: nobody needs root, and a Node that everybody may run. */
export const users: readonly User[] = canBeNobody() ? ['this user', 'nobody'] : ['this user'];

function canBeNobody(): boolean {
  const [setpriv, ...rest] = AS_NOBODY;
  return spawnSync(setpriv, [...rest, process.execPath, '--version'], { stdio: 'ignore' }).status === 0;
}

/** Builds of this package where every user can read them: the checkout may lie below a closed folder. */
export function openHome(): { readonly home: string; close(): void } {
  const room = fileURLToPath(new URL('../..', import.meta.url));
  const home = mkdtempSync(join(tmpdir(), 'portolan-process-'));
  chmodSync(home, 0o755);
  cpSync(join(room, 'dist'), join(home, 'dist'), { recursive: true });
  cpSync(join(room, 'src/testing/driver.mjs'), join(home, 'driver.mjs'));
  return { home, close: () => rmSync(home, { recursive: true, force: true }) };
}

/** Starts the driver; `before` are words that stand before its command line, for example to enter a control group. */
export function drive(home: string, user: User, task: Task, before: readonly string[] = []): Driver {
  const words = [
    ...before,
    ...(user === 'nobody' ? AS_NOBODY : []),
    process.execPath,
    join(home, 'driver.mjs'),
  ];
  const [program = '', ...args] = words;
  const child = spawn(program, args, { cwd: home, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  child.stdin.write(`${JSON.stringify(task)}\n`);
  const report = async () => {
    const line = await lines.next();
    if (line.done) throw new Error('the driver ended without a report');
    return JSON.parse(line.value) as Report;
  };
  return {
    report,
    end() {
      child.stdin.write('end\n');
      return report();
    },
    async close(signal) {
      if (signal) child.kill(signal);
      child.stdin.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
}
