import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import type { Exit, Fence } from './level/level.ts';
import { sendSignal } from './signal.ts';

/** What is proven about a scope: nothing of it lives; or these processes do, or could not be looked for (`cause`). */
export type Containment =
  | { readonly contained: true }
  | { readonly contained: false; readonly pids: readonly number[]; readonly cause?: unknown };

/** One started command with everything that it starts, and that those start. */
export interface Scope {
  /** The command's own process. To look at, not to signal: it may have ended and the number be in other hands. */
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /** The end of the command. What it has started may outlive it (not at the level `namespace`): call `end` also then. */
  readonly exited: Promise<Exit>;
  /**
   * Ends all its processes: closes stdin, sends SIGTERM to every one after half of `grace`, SIGKILL after the whole,
   * and looks until nothing is found. `grace` in milliseconds. Never throws; may be called again when not contained.
   */
  end(options: { readonly grace: number }): Promise<Containment>;
}

/** A started wrapper with its three pipes. */
export type Child = ChildProcessByStdio<Writable, Readable, Readable>;

/** Longest time for the dying and the proof once SIGKILL is sent, in milliseconds. */
const PROOF_MS = 5_000;

/** As many looks are taken at least, however long they take on a busy machine. */
const LEAST_LOOKS = 20;

/** Longest time from one look at the processes to the next, in milliseconds. */
const LONGEST_WAIT_MS = 50;

/** The scope of a started command. */
export function scopeOf(child: Child, fence: Fence, pid: number): Scope {
  const exited = exitOf(child).then((exit) => fence.ending(exit));
  let ending: Promise<Containment> | undefined;
  return {
    pid,
    stdin: child.stdin,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    end({ grace }) {
      ending ??= finish(child, fence, grace)
        .catch((cause: unknown) => ({ contained: false as const, pids: [], cause }))
        .then((result) => {
          if (!result.contained) ending = undefined;
          return result;
        });
      return ending;
    },
  };
}

async function finish(child: Child, fence: Fence, grace: number): Promise<Containment> {
  fence.hold();
  child.stdin.end();
  if (!(await isQuiet(fence, grace / 2))) {
    for (const pid of fence.look().found) sendSignal(pid, 'SIGTERM');
    await isQuiet(fence, grace / 2);
  }
  if (!(await isSwept(child, fence))) return { contained: false, pids: remaining(child, fence) };
  fence.release();
  return { contained: true };
}

/** Waits until nothing of the scope lives; false when `ms` are over before. */
async function isQuiet(fence: Fence, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (let wait = 2; fence.look().found.length > 0; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const left = deadline - performance.now();
    if (left <= 0) return false;
    await rest(Math.min(wait, left));
  }
  return true;
}

/** Kills until a whole look finds nothing and the wrapper, last of all, is gone. */
async function isSwept(child: Child, fence: Fence): Promise<boolean> {
  const begin = performance.now();
  for (let looks = 1, wait = 2; ; looks++, wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    const { found, whole } = fence.look();
    if (found.length === 0 && whole && !lives(child)) return true;
    const spent = performance.now() - begin;
    if (spent > PROOF_MS && looks > LEAST_LOOKS) return false;
    fence.kill(found);
    if (spent > PROOF_MS / 2) child.kill('SIGKILL');
    await rest(wait);
  }
}

/** Many scopes that end together keep Node busy with timers alone: only a full turn of its loop tells of exits. */
async function rest(ms: number): Promise<void> {
  await pause(ms);
  await turn();
}

function remaining(child: Child, fence: Fence): number[] {
  const found = new Set(fence.look().found);
  if (lives(child) && child.pid !== undefined) found.add(child.pid);
  return [...found];
}

function lives({ exitCode, signalCode }: Child): boolean {
  return exitCode === null && signalCode === null;
}

async function exitOf(child: Child): Promise<Exit> {
  if (lives(child)) await once(child, 'exit');
  return { code: child.exitCode, signal: child.signalCode };
}
