import { requireTime, type Deadline } from './deadline.ts';
import { ConnectionFailure } from './errors.ts';
import { LIMITS } from './limits.ts';

/** Lets one in at a time, in the order of coming. */
export interface Queue {
  /** Waits for the turn and answers how to give it back. Throws, and never enters, once `patience` has ended. */
  enter(patience: Patience): Promise<() => void>;
  /** How many wait. */
  readonly waiting: number;
}

/** How long one waits. */
export type Patience = Pick<Deadline, 'signal' | 'reached'>;

/** An empty queue. Failures of one that was in do not concern the next. */
export function newQueue(): Queue {
  const waiters: (() => void)[] = [];
  let taken = false;

  const leave = () => {
    const next = waiters.shift();
    if (next) next();
    else taken = false;
  };
  const turn = () => {
    let given = false;
    return () => {
      if (!given) leave();
      given = true;
    };
  };

  return {
    get waiting() {
      return waiters.length;
    },
    async enter(patience) {
      requireTime(patience);
      if (!taken) {
        taken = true;
        return turn();
      }
      if (waiters.length >= LIMITS.waiting) throw new ConnectionFailure('busy', { effects: 'none' });
      await new Promise<void>((resolve, reject) => {
        const enter = () => {
          patience.signal.removeEventListener('abort', abandon);
          resolve();
        };
        const abandon = () => {
          waiters.splice(waiters.indexOf(enter), 1);
          reject(new ConnectionFailure(patience.reached() ?? 'cancelled', { effects: 'none' }));
        };
        patience.signal.addEventListener('abort', abandon, { once: true });
        waiters.push(enter);
      });
      return turn();
    },
  };
}
