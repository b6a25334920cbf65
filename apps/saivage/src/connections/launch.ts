import { ConnectionFailure, type Connection } from '@portolan/mcp/connect';
import type { Containment } from '@portolan/process';

/** One attempt at a connection and what came of it. Everything local that it starts is ended with it. */
export interface Launch {
  /** The connection, once its whole tool list is read. A failure comes after its containment. */
  readonly opened: Promise<Connection>;
  /** Gives the attempt up while it goes on. */
  abort(): void;
  /** Work on the connection that its end waits for. */
  join(work: Promise<unknown>): void;
  /** Work that is not settled. */
  readonly pending: number;
  /** Ends everything of it, waits for all work and says what is proven. May be asked again while something is left. */
  end(): Promise<Containment>;
}

/** Begins an attempt. */
export function newLaunch(open: (signal: AbortSignal) => Promise<Connection>): Launch {
  const giveUp = new AbortController();
  const work = new Set<Promise<unknown>>();
  const opened = open(giveUp.signal);
  opened.catch(() => undefined);
  return {
    opened,
    abort: () => giveUp.abort(),
    join(one) {
      const settled = one.then(forget, forget);
      work.add(settled);
      function forget() {
        work.delete(settled);
      }
    },
    get pending() {
      return work.size;
    },
    async end() {
      giveUp.abort();
      const containment = await opened.then((connection) => connection.close(), leftBy);
      await Promise.all(work);
      return containment;
    },
  };
}

/** What a failed attempt has left, after one more try to end it. An error that we do not know proves nothing. */
async function leftBy(error: unknown): Promise<Containment> {
  if (!(error instanceof ConnectionFailure)) return { contained: false, pids: [], cause: error };
  if (error.contain) return error.contain();
  return error.containment ?? { contained: true };
}
