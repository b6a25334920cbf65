import { readFile, stat } from 'node:fs/promises';
import { kill } from 'node:process';

/** A process that cannot be mistaken for a later one with the same number. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Clock ticks after the boot, as /proc/<pid>/stat has it. */
  readonly startTime: string;
}

/** The identity of a living process; nothing when there is none, or only its remains. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, startTime] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' || startTime === undefined ? undefined : { pid, startTime };
}

export async function isAlive({ pid, startTime }: ProcessIdentity): Promise<boolean> {
  return (await identify(pid))?.startTime === startTime;
}

/** Sends a signal to exactly that process, if it still lives. */
export async function sendSignal(process: ProcessIdentity, name: NodeJS.Signals): Promise<void> {
  if (!(await isAlive(process))) return;
  try {
    kill(process.pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/** Whether a living process is a PostgreSQL server in that data folder, is certainly not, or may be. */
export async function servesFrom(pid: number, dataFolder: string): Promise<'yes' | 'no' | 'perhaps'> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  if (!/^Name:\s*(postgres|postmaster)$/m.test(status)) return 'no';
  const folder = await stat(dataFolder);
  // A server refuses a data folder that is not its user's own.
  if (/^Uid:\s*(\d+)/m.exec(status)?.[1] !== String(folder.uid)) return 'no';
  const cwd = await stat(`/proc/${pid}/cwd`).catch(() => undefined);
  if (cwd === undefined) return 'perhaps';
  return cwd.ino === folder.ino && cwd.dev === folder.dev ? 'yes' : 'no';
}
