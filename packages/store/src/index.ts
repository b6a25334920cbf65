/** The database door: embedded or given PostgreSQL, migrations, jobs, change feeds. Anything exported here is public. */
export {
  backoff,
  claim,
  type ClaimOptions,
  complete,
  enqueue,
  fail,
  type Failure,
  heartbeat,
  type Job,
  jobChannel,
  type NewJob,
  revoke,
} from './claims.ts';
export { addChangeFeed, type Change, type FeedPosition, readChanges } from './changes.ts';
export { LeaseLost, Misconfigured, type MisconfiguredCode } from './errors.ts';
export { newId } from './id.ts';
export type { OnHint } from './listen.ts';
export type { Migration } from './migrate.ts';
export type { Log } from './pool.ts';
export { askPrepared } from './prepared.ts';
export type { Restricted, RestrictedRole } from './roles.ts';
export { type Mode, openStore, type Store, type StoreOptions } from './store.ts';
