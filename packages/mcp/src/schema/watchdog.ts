import { Script, createContext } from 'node:vm';

const context = createContext({ work: undefined as unknown });
const run = new Script('work()');

/** Runs synchronous work that a stranger chose; undefined when it was stopped after `ms`. Throws what the work throws. */
export function within<T>(ms: number, work: () => T): { readonly value: T } | undefined {
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
