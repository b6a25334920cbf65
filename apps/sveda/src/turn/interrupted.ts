import type { Logger } from '@portolan/http';
import type { Admission } from './admission.ts';
import type { Hold } from './leases.ts';
import { interruptTurn } from './sweep.ts';

/**
 * The turns of this node that the database did not take something of: each is told as interrupted as soon as the database can be
 * reached, so that nobody waits for the end of its lease. Once the lease is over, others may have told it: then nothing is to be done.
 */
export function createInterrupted(admission: Pick<Admission, 'db' | 'wording' | 'now'>, log: Logger) {
  const untold = new Map<string, Hold>();
  let telling: Promise<void> | undefined;

  /** Turn by turn, those that come meanwhile as well, up to the first that cannot be told. */
  async function tellAll(): Promise<void> {
    for (const [turnId, hold] of untold) {
      untold.delete(turnId);
      try {
        await interruptTurn(admission, hold);
      } catch (error) {
        log.warn({ err: error, turn: turnId }, 'turn not told as interrupted');
        // Behind the others: whatever is wrong with it holds up none of them.
        untold.set(turnId, hold);
        return;
      }
    }
  }

  /** Tries what is still untold. Never rejects. */
  const tell = (): Promise<void> =>
    (telling ??= tellAll().finally(() => {
      telling = undefined;
    }));

  return {
    tell,
    add(hold: Hold): Promise<void> {
      untold.set(hold.turnId, hold);
      return tell();
    },
  };
}
