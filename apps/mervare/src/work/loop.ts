import { hostname } from 'node:os';
import type { Logger } from '@portolan/http';
import { jobChannel, type Store } from '@portolan/store';

/** Work in the background that waits in queues of the store. */
export interface LoopOptions {
  /** Queues whose jobs `next` takes: an enqueued one wakes the loop. */
  readonly queues: readonly string[];
  /** Pieces of work at the same time on this node. */
  readonly slots: number;
  /** Claims and does one piece of due work; false when there was none. The signal says that the time to end it is over. */
  readonly next: (signal: AbortSignal) => Promise<boolean>;
  readonly listen: Store<unknown>['listen'];
  readonly log: Logger;
  /** How long it rests before it looks for itself, without a hint. Milliseconds. */
  readonly pollMs?: number;
}

/** Work in the background, until it is closed. */
export interface Loop {
  /** Takes nothing new, gives what is under way this long, then aborts it. Resolves when nothing runs any more. */
  close(options: { readonly graceMs: number }): Promise<void>;
}

const POLL_MS = 5_000;

/** Does the work of some queues until it is closed. A failure of the work is logged, and the work is looked for again later. */
export async function startLoop({
  queues,
  slots,
  next,
  listen,
  log,
  pollMs = POLL_MS,
}: LoopOptions): Promise<Loop> {
  const closing = new AbortController();
  const cutting = new AbortController();
  const bell = newBell();
  const deaf = await Promise.all(queues.map((queue) => listen(jobChannel(queue), bell.ring)));

  async function slot(): Promise<void> {
    while (!closing.signal.aborted) {
      const heard = bell.rung();
      const worked = await next(cutting.signal).catch((error: unknown) => {
        log.error({ err: error, queues }, 'work in the background failed');
        return false;
      });
      if (!worked) await bell.wait(heard, pollMs);
    }
  }

  const running = Promise.all(Array.from({ length: slots }, slot));
  return {
    async close({ graceMs }) {
      closing.abort();
      bell.ring();
      const cut = setTimeout(() => cutting.abort(), graceMs);
      await running;
      clearTimeout(cut);
      await Promise.all(deaf.map((stop) => stop()));
    },
  };
}

/** Name of this node in the queues, for operators. */
export function nodeName(): string {
  return `${hostname()}:${process.pid}`;
}

/** Wakes all who wait. Whoever says how often it had rung when they began misses no ringing in between. */
function newBell() {
  let rung = 0;
  const waiting = new Set<() => void>();
  return {
    rung: () => rung,
    ring: () => {
      rung += 1;
      for (const wake of waiting) wake();
    },
    async wait(heard: number, ms: number): Promise<void> {
      if (rung !== heard) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(wake, ms);
        waiting.add(wake);
        function wake() {
          clearTimeout(timer);
          waiting.delete(wake);
          resolve();
        }
      });
    },
  };
}
