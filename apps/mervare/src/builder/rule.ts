/** How often workers may begin a task and be lost before it fails. */
export const MAX_ATTEMPTS = 3;

/** For how long a task is a worker's without a word of it. Milliseconds. */
export const LEASE_MS = 300_000;

/** How often a worker says that it is at it. Milliseconds. */
export const BEAT_MS = 15_000;

/** A worker that has missed three heartbeats may be declared gone before its lease ends. Milliseconds. */
export const FRESH_MS = 3 * BEAT_MS;

/** What becomes of a task whose worker is gone: another one tries, until there were enough. */
export function afterLoss(attempts: number): 'queued' | 'failed' {
  return attempts < MAX_ATTEMPTS ? 'queued' : 'failed';
}
