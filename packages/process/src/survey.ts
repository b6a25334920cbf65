import { allPids, isForbidden } from './proc.ts';

/** One look at every process of the machine. */
export interface Survey {
  /** Living processes that belong to the scope. */
  readonly found: readonly number[];
  /** False when a process vanished before it could be examined: it may have left a child, so nothing is proven. */
  readonly whole: boolean;
}

/** Where processes are born faster than they can be looked at, this look proves nothing. */
const MAX_ROUNDS = 10;

/**
 * Examines every process once, those included that are born meanwhile: a process that forks and exits, over and over,
 * to run ahead of the look is either met or makes it not whole. `belongs` answers undefined for one that is gone;
 * one that may not be looked into is not ours.
 */
export function survey(belongs: (pid: number) => boolean | undefined): Survey {
  const examined = new Set<number>();
  const found: number[] = [];
  let whole = true;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const born = allPids().filter((pid) => !examined.has(pid));
    if (born.length === 0) return { found, whole };
    for (const pid of born) {
      examined.add(pid);
      const verdict = examine(pid, belongs);
      if (verdict) found.push(pid);
      if (verdict === undefined) whole = false;
    }
  }
  return { found, whole: false };
}

function examine(pid: number, belongs: (pid: number) => boolean | undefined): boolean | undefined {
  try {
    return belongs(pid);
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}
