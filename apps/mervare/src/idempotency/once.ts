import { createHash } from 'node:crypto';
import { Refusal } from '@portolan/mcp/tool';
import { sql, type Transaction } from 'kysely';
import { actorId } from '../audit/actor.ts';
import type { Actor } from '../audit/audit.ts';
import type { SiteTables } from '../tables.ts';

/** For how long a key is remembered. */
const KEPT_MS = 24 * 3_600_000;
/** Rows of forgotten keys that one write takes along, so that nobody has to sweep. */
const SWEPT = 20;

/** One write that may be asked for again after a lost answer. */
export interface Attempt {
  readonly actor: Actor;
  readonly tool: string;
  readonly key: string;
  /** The arguments. The same key with others is a mistake of the caller. */
  readonly input: unknown;
  /** Epoch milliseconds. */
  readonly now: number;
}

/**
 * Does the work at the first call with this key and answers what it answered at every other one for 24 hours, also when both come at
 * the same time: the second waits for the transaction of the first. A refusal is not remembered, because nothing happened.
 * Throws a Refusal when the key was used with other arguments.
 */
export async function once<Answer>(
  tx: Transaction<SiteTables>,
  { actor, tool, key, input, now }: Attempt,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const mine = { actor: actorId(actor), tool, key };
  const digest = createHash('sha256').update(JSON.stringify(input)).digest();
  const expires_at = new Date(now + KEPT_MS);
  await sweep(tx, now);
  const taken = await tx
    .insertInto('idempotent_write')
    .values({ ...mine, digest, answer: null, expires_at })
    .onConflict((conflict) =>
      conflict
        .columns(['actor', 'tool', 'key'])
        .doUpdateSet({ digest, expires_at })
        .where('idempotent_write.expires_at', '<=', new Date(now)),
    )
    .returning('key')
    .executeTakeFirst();
  if (!taken) return remembered(tx, mine, digest);
  const answer = await work();
  await tx
    .updateTable('idempotent_write')
    .set({ answer: JSON.stringify(answer) })
    .where((row) => row.and(mine))
    .execute();
  return answer;
}

async function remembered<Answer>(
  tx: Transaction<SiteTables>,
  mine: { readonly actor: string; readonly tool: string; readonly key: string },
  digest: Buffer,
): Promise<Answer> {
  const { digest: first, answer } = await tx
    .selectFrom('idempotent_write')
    .select(['digest', 'answer'])
    .where((row) => row.and(mine))
    .executeTakeFirstOrThrow();
  if (first.equals(digest)) return answer as Answer;
  throw new Refusal(
    'conflict',
    'This idempotencyKey was used with other arguments. Repeat those, or take a new key.',
  );
}

/** Keys that another transaction is busy with are left to a later write. */
async function sweep(tx: Transaction<SiteTables>, now: number): Promise<void> {
  await sql`
    delete from idempotent_write where (actor, tool, key) in (
      select actor, tool, key from idempotent_write where expires_at <= ${new Date(now)}
      order by expires_at limit ${SWEPT} for update skip locked
    )`.execute(tx);
}
