import { Misconfigured } from '@portolan/mcp/tool';
import { inForce, type InForce } from './in-force.ts';
import type { Configuration } from './schema.ts';

/** What came of reading sveda.yaml again. */
export type Reloading = { readonly reloaded: true } | { readonly reloaded: false; readonly fault: string };

/** The configuration that holds at this moment. */
export interface Live {
  current(): InForce;
  /** Reads the file again: the new one holds from here on, whole, or the old one stays. Work in flight keeps what it began with. */
  reload(): Reloading;
}

/** Begins with what was read at the start; `read` reads the file again and throws Misconfigured with every fault. */
export function live(first: Configuration, read: () => Configuration): Live {
  let current = inForce(first);
  return {
    current: () => current,
    reload() {
      try {
        current = inForce(read());
        return { reloaded: true };
      } catch (error) {
        if (!(error instanceof Misconfigured)) throw error;
        return { reloaded: false, fault: error.message };
      }
    },
  };
}
