import type { Kysely } from 'kysely';
import type { Adapter } from 'oidc-provider';
import type { SiteTables } from '../tables.ts';

/** Where things are kept, and whose clock counts (epoch milliseconds). */
export interface Keeping {
  readonly db: Kysely<SiteTables>;
  readonly now: () => number;
}

/** An adapter that is asked nothing; each kind of thing answers what it is asked. */
export const unasked: Adapter = {
  upsert: never,
  find: never,
  findByUid: never,
  findByUserCode: never,
  consume: never,
  destroy: never,
  revokeByGrantId: never,
};

/** For what this server never asks. */
function never(): never {
  throw new Error('Not asked by any feature that is on');
}
