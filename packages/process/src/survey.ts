import { allPids, isForbidden } from './proc.ts';

/** One look at every process of the machine. */
export interface Survey {
  /** Living processes that belong to the scope. */
  readonly found: readonly number[];
  /** Every process there was has been looked at. Else nothing is proven by finding nothing. */
  readonly whole: boolean;
}

/** Where processes are born faster than they can be looked at, a look is not whole. */
const MAX_ROUNDS = 10;

/**
 * Examines every process, and then those born meanwhile, until a listing holds no new one. So a peer that forks and
 * exits, over and over, to run ahead of the look is met, or makes the look not whole: each listing shows its latest
 * process, since process numbers only rise but for one wrap in tens of thousands. One that may not be looked into is
 * not ours.
 */
export function survey(belongs: (pid: number) => boolean): Survey {
  const examined = new Set<number>();
  const found: number[] = [];
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const born = allPids().filter((pid) => !examined.has(pid));
    if (born.length === 0) return { found, whole: true };
    for (const pid of born) {
      examined.add(pid);
      if (isOurs(pid, belongs)) found.push(pid);
    }
  }
  return { found, whole: false };
}

function isOurs(pid: number, belongs: (pid: number) => boolean): boolean {
  try {
    return belongs(pid);
  } catch (error) {
    if (isForbidden(error)) return false;
    throw error;
  }
}
