import { readFileSync } from 'node:fs';

/** What /proc/<pid>/stat says of a living process (proc(5)). */
export interface Stat {
  readonly parent: number;
  readonly group: number;
  /** Clock ticks from boot to the start of the process. */
  readonly startTime: number;
}

/** The state of a living process; undefined when it is gone or only waits, as a zombie, for its parent. */
export function readStat(pid: number): Stat | undefined {
  const text = readProc(pid, 'stat');
  if (text === undefined) return undefined;
  // The second field is the name in brackets and may itself hold brackets and spaces.
  const [state = '', ...rest] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return { parent: Number(rest[0]), group: Number(rest[1]), startTime: Number(rest[18]) };
}

/** A file of /proc/<pid>; undefined when the process is gone. Throws when it lives and may not be read. */
export function readProc(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}
