import { backoff, claim, complete, fail, type Job } from '@portolan/store';
import type { Kysely, Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { startLoop, type Loop, type LoopOptions } from '../work/loop.ts';
import { BATCHES, holdBatch, queueBatch, type Batch } from './batches.ts';
import { readEdition } from './editions.ts';
import { holdInviting, invitedAlready } from './invited.ts';
import { deliver } from './sending.ts';

/** Letters that go to the outbox together: none of them does, or all, each with its invitation. */
const TOGETHER = 25;

/** A node that is silent for this long has lost its letters to another. */
const LEASE_MS = 30_000;

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 300_000;

/** What a node needs to send batches. */
export interface DispatchOptions extends Pick<LoopOptions, 'listen' | 'log'> {
  readonly db: Kysely<SiteTables>;
  /** Of the site: links begin with it. */
  readonly origin: string;
  /** Name of this node, for operators. */
  readonly worker: string;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Sends batches in the background, beside all other nodes, until it is closed. */
export function startDispatch({ listen, log, ...options }: DispatchOptions): Promise<Loop> {
  return startLoop({ queues: [BATCHES], slots: 1, next: () => dispatchSome(options), listen, log });
}

/** Moves some letters of the batch that waits longest to the outbox. False when none waits. Rejects when that fails: it is due again later. */
export async function dispatchSome({
  db,
  worker,
  now,
  origin,
}: Omit<DispatchOptions, 'listen' | 'log'>): Promise<boolean> {
  const wanted = { queue: BATCHES, worker, leaseMs: LEASE_MS, limit: 1, now: new Date(now()) };
  const [job] = await claim<BatchJob['payload']>(db, wanted);
  if (!job) return false;
  try {
    await db.transaction().execute((tx) => advance(tx, job, origin, now()));
    return true;
  } catch (error) {
    // Where that fails too, the lease ends by itself.
    await db
      .transaction()
      .execute((tx) => putOff(tx, job, now()))
      .catch(() => undefined);
    throw error;
  }
}

/** Tries again later; after many times somebody must look. */
async function putOff(tx: Transaction<SiteTables>, job: BatchJob, now: number): Promise<void> {
  const batch = await holdBatch(tx, job.payload.batch);
  const retryInMs = backoff(job.attempt, FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
  const end = await fail(tx, job, { error: 'The log tells it.', now: new Date(now), retryInMs });
  if (end === 'dead') await settle(tx, batch, { state: 'halted', reason: 'Sending failed again and again.' });
}

type BatchJob = Job<{ readonly batch: string }>;

/** Either all of it has happened, its claim ended with it, or nothing: so a node that is lost leaves no letter in between. */
async function advance(
  tx: Transaction<SiteTables>,
  job: BatchJob,
  origin: string,
  now: number,
): Promise<void> {
  const batch = await holdBatch(tx, job.payload.batch);
  await holdInviting(tx, batch.survey);
  const obstacle = await obstacleTo(tx, batch, now);
  const more = obstacle === undefined && (await sendSome(tx, batch, origin, now));
  await complete(tx, job);
  if (obstacle !== undefined) await settle(tx, batch, { state: 'halted', reason: obstacle });
  else if (more) await queueBatch(tx, batch.id, now);
  else await settle(tx, batch, { state: 'done', ended_at: new Date(now) });
}

async function obstacleTo(
  tx: Transaction<SiteTables>,
  { expiresAt, ...key }: Batch,
  now: number,
): Promise<string | undefined> {
  const { state } = await readEdition(tx, key);
  if (state !== 'published') return `The edition is ${state}.`;
  return expiresAt !== null && expiresAt.getTime() <= now
    ? 'The invitations would be over already.'
    : undefined;
}

function settle(
  tx: Transaction<SiteTables>,
  { id }: Batch,
  state:
    | { readonly state: 'halted'; readonly reason: string }
    | { readonly state: 'done'; readonly ended_at: Date },
) {
  return tx.updateTable('survey_batch').set(state).where('id', '=', id).execute();
}

/** False when no letter waits after these. */
async function sendSome(
  tx: Transaction<SiteTables>,
  batch: Batch,
  origin: string,
  now: number,
): Promise<boolean> {
  const waiting = await tx
    .selectFrom('survey_batch_letter')
    .select(['n', 'context', 'person', 'addressee', 'language', 'subject', 'body'])
    .where('batch', '=', batch.id)
    .where('done', '=', false)
    .orderBy('n')
    .limit(TOGETHER)
    .execute();
  const addressees = waiting.map(({ addressee }) => addressee ?? '');
  const invited = await invitedAlready(tx, batch, addressees, now);
  const sending = { by: batch.executedBy ?? '', origin, now };
  for (const { n, context, person, addressee, language, subject, body } of waiting) {
    if (person === null || addressee === null || subject === null || body === null)
      throw new Error('A letter that waits has no text.');
    const { survey, edition, expiresAt, id } = batch;
    const about = { survey, edition, expiresAt, context, batch: id };
    const letter = { person, addressee, language, subject, body };
    const passesOver = invited.has(addressee.toLowerCase());
    const invitation = passesOver ? null : (await deliver(tx, letter, about, sending)).id;
    await tx
      .updateTable('survey_batch_letter')
      .set({ done: true, invitation, person: null, addressee: null, subject: null, body: null })
      .where('batch', '=', id)
      .where('n', '=', n)
      .execute();
  }
  return waiting.length === TOGETHER;
}
