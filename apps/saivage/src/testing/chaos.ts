import { ConnectionFailure } from '@portolan/mcp/connect';
import type { Scheduler } from 'fast-check';
import type { Direction, Puppet } from './stage.ts';

/** What goes wrong at one step of a puppet. */
export type Mishap = 'none' | 'at once' | 'fails' | 'dies';

/** A direction in which every step comes when the scheduler lets it, and as the mishaps say. */
export interface Chaos {
  readonly direction: Direction;
  /** From now on everything can be ended. */
  calm(): void;
}

/** Lets a puppet do its next step. */
export function chaosOf(scheduler: Scheduler, mishaps: Iterator<Mishap>): Chaos {
  let isCalm = false;
  const step = async (puppet: Puppet, what: string): Promise<void> => {
    const mishap: Mishap = mishaps.next().value ?? 'none';
    if (mishap !== 'at once') await scheduler.schedule(Promise.resolve(), `${puppet.serverName} ${what}`);
    if (mishap === 'dies') puppet.die();
    if (mishap === 'fails') throw new ConnectionFailure('unreachable', { reason: what });
  };
  return {
    calm() {
      isCalm = true;
    },
    direction: {
      spawn: (puppet) => step(puppet, 'spawns'),
      initialize: (puppet) => step(puppet, 'initializes'),
      async list(puppet) {
        await step(puppet, 'lists');
        return ['echo'];
      },
      call: (puppet) => step(puppet, 'answers'),
      async end(puppet) {
        const mishap: Mishap = mishaps.next().value ?? 'none';
        await scheduler.schedule(Promise.resolve(), `${puppet.serverName} ends`);
        return !isCalm && mishap === 'fails' ? { contained: false, pids: [1] } : { contained: true };
      },
    },
  };
}
