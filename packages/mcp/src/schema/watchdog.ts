import { Script, createContext } from 'node:vm';

const context = createContext({ work: undefined as unknown });
const run = new Script('work()');

/** How often work is begun again that was stopped before it could do much. */
const TRIES = 4;

/**
 * Runs synchronous work that a stranger chose, and that may be repeated; undefined when it was stopped after `ms`. On a
 * busy machine that time passes while others compute: work that had less than half of it is no proof of anything, and
 * begins again. Throws what the work throws.
 */
export function within<T>(ms: number, work: () => T): { readonly value: T } | undefined {
  const before = process.cpuUsage();
  for (let tries = 1; ; tries += 1) {
    const done = once(ms, work);
    if (done || tries === TRIES || spentSince(before) >= ms / 2) return done;
  }
}

function once<T>(ms: number, work: () => T): { readonly value: T } | undefined {
  context.work = work;
  try {
    return { value: run.runInContext(context, { timeout: ms }) as T };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return undefined;
    throw error;
  } finally {
    context.work = undefined;
  }
}

/** Milliseconds that this process has computed since. */
function spentSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
