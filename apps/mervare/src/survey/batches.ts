import { Refusal } from '@portolan/mcp/tool';
import { enqueue, newId } from '@portolan/store';
import { sql, type Kysely, type RawBuilder, type SqlBool, type Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { requirePublished, type EditionKey } from './editions.ts';
import type { BatchState } from './batch-tables.ts';

/** The queue of the store that batches wait in. */
export const BATCHES = 'survey.batches';

/** A batch, in short. */
export interface Batch extends EditionKey {
  readonly id: string;
  readonly state: BatchState;
  readonly expiresAt: Date | null;
  readonly digest: Buffer;
  readonly executedBy: string | null;
}

/** A batch that nobody else changes until the transaction ends. Throws a Refusal where there is none. */
export async function holdBatch(tx: Transaction<SiteTables>, id: string): Promise<Batch> {
  const found = await tx
    .selectFrom('survey_batch')
    .select([
      'id',
      'survey',
      'edition',
      'state',
      'expires_at as expiresAt',
      'digest',
      'executed_by as executedBy',
    ])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (found) return found;
  throw noBatch();
}

/**
 * Has a prepared batch sent in the background, or one that was halted go on. Once more changes nothing. Throws a Refusal for another digest
 * than that of the batch, and while its edition is not published.
 */
export async function executeBatch(
  tx: Transaction<SiteTables>,
  by: string,
  { id, digest }: { readonly id: string; readonly digest: string },
  now: number,
): Promise<Batch> {
  const batch = await holdBatch(tx, id);
  if (batch.digest.toString('hex') !== digest)
    throw new Refusal('conflict', 'This is not the digest of this batch: look at what was prepared.');
  if (batch.state === 'done') return batch;
  await requirePublished(tx, batch);
  if (batch.expiresAt !== null && batch.expiresAt.getTime() <= now)
    throw new Refusal('conflict', 'Its invitations would be over already: prepare another batch.');
  if (batch.state !== 'running')
    await tx
      .updateTable('survey_batch')
      .set({ state: 'running', executed_by: by, executed_at: new Date(now), reason: null })
      .where('id', '=', id)
      .execute();
  await queueBatch(tx, id, now);
  return { ...batch, state: 'running', executedBy: by };
}

/** How often a node may be lost with the same letters before somebody must have the batch executed again. */
const MAX_ATTEMPTS = 10;

/** Where it waits already, it waits once. */
export async function queueBatch(tx: Transaction<SiteTables>, batch: string, now: number): Promise<void> {
  const job = {
    id: newId(now),
    queue: BATCHES,
    payload: { batch },
    dedupeKey: batch,
    maxAttempts: MAX_ATTEMPTS,
  };
  await enqueue(tx, job, new Date(now));
}

/** How far a batch is, and what became of its letters: each waits, was passed over, or is where a letter can be. */
export interface BatchStanding extends EditionKey {
  readonly id: string;
  readonly state: BatchState;
  readonly reason: string | null;
  readonly executedAt: Date | null;
  readonly endedAt: Date | null;
  readonly letters: number;
  readonly waiting: number;
  /** The addressee had an invitation of another origin by the time. */
  readonly passedOver: number;
  readonly queued: number;
  readonly sent: number;
  readonly bounced: number;
  /** The addressee wants no letters. */
  readonly suppressed: number;
  /** Called back, because the invitation was revoked. */
  readonly withdrawn: number;
  readonly opened: number;
  readonly answered: number;
}

/** A batch with its counts. Throws a Refusal where there is none. */
export async function batchStanding(db: Kysely<SiteTables>, id: string): Promise<BatchStanding> {
  const count = (what: RawBuilder<SqlBool>) => sql`(count(*) filter (where ${what}))::int`;
  const { rows } = await sql<BatchStanding>`
    select b.id, b.survey, b.edition, b.state, b.reason, b.executed_at as "executedAt", b.ended_at as "endedAt",
      count(*)::int as letters,
      ${count(sql`not l.done`)} as waiting,
      ${count(sql`l.done and l.invitation is null`)} as "passedOver",
      ${count(sql`m.state in ('queued', 'sending')`)} as queued,
      ${count(sql`m.state = 'sent'`)} as sent,
      ${count(sql`m.state = 'bounced'`)} as bounced,
      ${count(sql`m.state = 'suppressed'`)} as suppressed,
      ${count(sql`m.state = 'withdrawn'`)} as withdrawn,
      ${count(sql`i.opened`)} as opened,
      ${count(sql`i.answered`)} as answered
    from survey_batch b join survey_batch_letter l on l.batch = b.id
    left join survey_invitation i on i.id = l.invitation
    left join mail_letter m on m.key = 'invitation:' || l.invitation
    where b.id = ${id} group by b.id`.execute(db);
  const [found] = rows;
  if (found) return found;
  throw noBatch();
}

function noBatch(): Refusal {
  return new Refusal('not_found', 'There is no such batch. survey_batch_prepare answers ids.');
}
