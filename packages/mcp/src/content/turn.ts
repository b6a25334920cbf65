import { CONTENT_LIMITS } from './limits.ts';

const waiting: (() => void)[] = [];
let working = 0;

/** Runs work when less than the allowed number of such works run in this process, in the order of coming. */
export async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (working >= CONTENT_LIMITS.atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  else working++;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else working--;
  }
}
