import { readFileSync, readdirSync, readlinkSync } from 'node:fs';

/** What /proc/<pid>/stat says of a process (proc(5)). */
export interface Stat {
  readonly parent: number;
  readonly session: number;
  /** Clock ticks from boot to the start of the process. */
  readonly startTime: number;
  /** It has ended and only waits for its parent to notice. */
  readonly zombie: boolean;
}

/** The state of a process; undefined when it is gone. */
export function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, 'stat');
  if (text === undefined) return undefined;
  // The second field is the name in brackets and may itself hold brackets and spaces.
  const [state = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [parent, , session] = rest.map(Number);
  return {
    parent: parent ?? 0,
    session: session ?? 0,
    startTime: Number(rest[18]),
    zombie: state === 'Z' || state === 'X',
  };
}

/** True for a process that can still do something. */
export function isAlive(pid: number): boolean {
  return readStat(pid)?.zombie === false;
}

/** A file of /proc/<pid>; undefined when the process is gone. Throws when it lives and may not be read. */
export function readProc(pid: number | 'self', file: string): string | undefined {
  return unlessGone(() => readFileSync(`/proc/${pid}/${file}`, 'latin1'));
}

/** The PID namespace of a process, as the kernel names it; undefined when the process is gone. */
export function pidNamespace(pid: number): string | undefined {
  return unlessGone(() => readlinkSync(`/proc/${pid}/ns/pid`));
}

/** Living children of a process, zombies left out. */
export function childrenOf(parent: number): number[] {
  const listed = readProc(parent, `task/${parent}/children`);
  const pids = listed === undefined ? allPids() : listed.split(' ').filter(Boolean).map(Number);
  return pids.filter((pid) => {
    const stat = readStat(pid);
    return stat?.parent === parent && !stat.zombie;
  });
}

/** Every process that this mount of /proc shows, zombies included. */
export function allPids(): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

/** True for an error that says: there is such a process, and it is not ours to look into. */
export function isForbidden(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'EACCES' || code === 'EPERM';
}

function unlessGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
