import { backoff, claim, complete, fail, heartbeat, type Job } from '@portolan/store';
import type { Kysely, Transaction } from 'kysely';
import type { SiteSecret } from '../secret/site-secret.ts';
import type { SiteTables } from '../tables.ts';
import { suppressionOf } from './marks.ts';
import { MAX_ATTEMPTS, queueOf } from './outbox.ts';
import { tellOwner } from './owner.ts';
import { isSuppressed } from './suppressions.ts';
import { holdRunning } from './switch.ts';
import type { Lane, LetterState } from './tables.ts';
import type { Outcome } from './transport.ts';
import { withoutLinks, wordsOf } from './words.ts';

/** For how long a letter is one node’s without a word of it: then another may try. Milliseconds. */
export const LEASE_MS = 300_000;

const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 4 * 3_600_000;
/** Characters. */
export const LONGEST_REASON = 500;

/** A letter in the hands of one node. */
export interface Begun {
  readonly job: Job;
  readonly letter: {
    readonly id: string;
    readonly lane: Lane;
    readonly key: string;
    readonly to: string;
    readonly subject: string;
    readonly text: string;
    readonly queuedAt: Date;
  };
}

interface Claimer {
  readonly lane: Lane;
  readonly node: string;
  readonly secret: SiteSecret;
}

/**
 * Takes the next due letter of a lane for this node, and says in the same transaction that it is being sent. `ended` stands for one that
 * needs no delivery any more; undefined for none. Locks go from the switch to the job to its letter, everywhere.
 */
export function beginDelivery(
  db: Kysely<SiteTables>,
  { lane, node, secret }: Claimer,
  now: number,
): Promise<Begun | 'ended' | undefined> {
  return db.transaction().execute(async (tx) => {
    if (lane === 'agents' && !(await holdRunning(tx))) return undefined;
    const wanted = { queue: queueOf(lane), worker: node, leaseMs: LEASE_MS, limit: 1, now: new Date(now) };
    const [job] = await claim(tx, wanted);
    if (job === undefined) return undefined;
    const begun = await begin(tx, job, secret, now);
    if (begun === 'ended') await complete(tx, job);
    return begun;
  });
}

async function begin(
  tx: Transaction<SiteTables>,
  job: Job,
  secret: SiteSecret,
  now: number,
): Promise<Begun | 'ended'> {
  const row = await tx
    .selectFrom('mail_letter')
    .select(['id', 'lane', 'key', 'addressee as to', 'subject', 'text', 'queued_at as queuedAt'])
    .where('id', '=', job.id)
    .where('state', 'in', ['queued', 'sending'])
    .forUpdate()
    .executeTakeFirst();
  if (!row || row.subject === null || row.text === null) return 'ended';
  const letter = { ...row, subject: row.subject, text: row.text };
  if (await isSuppressed(tx, suppressionOf(secret, letter.to)))
    return finish(tx, letter.id, { state: 'suppressed', reason: null }, now);
  // The nodes that had it were lost each time, and the last one may have sent it.
  if (job.attempt > MAX_ATTEMPTS)
    return finish(tx, letter.id, { state: 'bounced', reason: 'Whoever sent it was lost too often.' }, now);
  await tx
    .updateTable('mail_letter')
    .set({ state: 'sending', attempts: job.attempt })
    .where('id', '=', letter.id)
    .execute();
  return { job, letter };
}

/** Lengthens the lease of this node. Throws LeaseLost when another one has the letter. */
export function keepDelivery(db: Kysely<SiteTables>, { job }: Begun, now: number): Promise<void> {
  return heartbeat(db, job, LEASE_MS, new Date(now));
}

/** Writes down how a try ended, and when the next one is due. Throws LeaseLost when another node has the letter. */
export async function settleDelivery(
  db: Kysely<SiteTables>,
  { job, letter }: Begun,
  outcome: Outcome,
  now: number,
): Promise<LetterState> {
  return db.transaction().execute(async (tx) => {
    if (outcome.is === 'deferred' && job.attempt < MAX_ATTEMPTS) {
      const retryInMs = backoff(job.attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      await fail(tx, job, { error: 'The letter was not taken.', now: new Date(now), retryInMs });
      await tx
        .updateTable('mail_letter')
        .set({ state: 'queued', reason: wordsOf(withoutLinks(outcome.reason), LONGEST_REASON) })
        .where('id', '=', letter.id)
        .where('state', '=', 'sending')
        .execute();
      return 'queued';
    }
    await complete(tx, job);
    const state = outcome.is === 'sent' ? 'sent' : 'bounced';
    const reason = outcome.is === 'sent' ? null : wordsOf(withoutLinks(outcome.reason), LONGEST_REASON);
    await finish(tx, letter.id, { state, reason }, now);
    return state;
  });
}

/** Ends a letter that has not ended: its text goes. What a mail server took while it was called back has been sent. */
async function finish(
  tx: Transaction<SiteTables>,
  id: string,
  { state, reason }: { readonly state: 'sent' | 'bounced' | 'suppressed'; readonly reason: string | null },
  now: number,
): Promise<'ended'> {
  const at = new Date(now);
  const moment = state === 'sent' ? { sent_at: at } : { failed_at: at };
  const ended = await tx
    .updateTable('mail_letter')
    .set({ state, reason, subject: null, text: null, ...moment })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'sending', ...(state === 'sent' ? (['withdrawn'] as const) : [])])
    .returning(['lane', 'key'])
    .executeTakeFirst();
  if (ended) await tellOwner(tx, ended, state, now);
  return 'ended';
}
