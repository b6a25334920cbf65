import type { MiddlewareHandler } from 'hono';
import { HttpProblem } from '@portolan/http';
import type { VisitorEnv } from '../embed/visitor.ts';

/** How much of something may go on at once on this node: for one key, and in all. */
export interface Most {
  readonly ofOne: number;
  readonly inAll: number;
}

/** Counts what goes on, by key. */
export function createOccupancy() {
  const byKey = new Map<string, number>();
  let all = 0;
  return {
    /** Refuses with 429 what would be too much. */
    demand(key: string, { ofOne, inAll }: Most, what: string): void {
      if ((byKey.get(key) ?? 0) >= ofOne) throw tooMany(`Too many ${what} of yours are open; end one first.`);
      if (all >= inAll) throw tooMany(`Too many ${what} are open; try again.`);
    },
    /** Counts one more, until the answered function is called. */
    enter(key: string): () => void {
      byKey.set(key, (byKey.get(key) ?? 0) + 1);
      all += 1;
      let left = false;
      return () => {
        if (left) return;
        left = true;
        all -= 1;
        const rest = (byKey.get(key) ?? 1) - 1;
        if (rest === 0) byKey.delete(key);
        else byKey.set(key, rest);
      };
    },
  };
}

export type Occupancy = ReturnType<typeof createOccupancy>;

/** Lets so many answers be under way at once: a stream is, until its reader has gone or it has ended. */
export function occupy(occupancy: Occupancy, most: () => Most): MiddlewareHandler<VisitorEnv> {
  return async (c, next) => {
    const { visitor } = c.get('visitor');
    occupancy.demand(visitor, most(), 'streams');
    const leave = occupancy.enter(visitor);
    try {
      await next();
    } finally {
      // A stream goes on when its handler has returned.
      const { outgoing } = c.env;
      if (outgoing && !outgoing.destroyed) outgoing.once('close', leave);
      else leave();
    }
  };
}

function tooMany(message: string): HttpProblem {
  return new HttpProblem(429, 'too_many', message, { 'retry-after': '5' });
}
