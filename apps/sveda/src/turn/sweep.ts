import { sql } from 'kysely';
import { fromNow, type Admission } from './admission.ts';
import { breakOff } from './close.ts';
import type { Hold } from './leases.ts';
import { standingOf } from './standing.ts';

/** Turns that one sweep takes: the next sweep comes soon. */
const BATCH = 20;

/** Tells the turns of nodes that are gone as interrupted, so that their readers need not wait for somebody to write. */
export async function sweepTurns(admission: Pick<Admission, 'db' | 'wording' | 'now'>): Promise<number> {
  const { db, now } = admission;
  return db.transaction().execute(async (tx) => {
    const lost = await tx
      .selectFrom('turn')
      .selectAll()
      .where('status', '=', 'running')
      .where('lease_until', '<=', sql<Date>`now()`)
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const turn of lost) await breakOff(tx, await standingOf(tx, turn, now()), admission);
    return lost.length;
  });
}

/** Tells a turn of this node that it can write no longer as interrupted. Nothing where somebody else has it, or where it has ended. */
export async function interruptTurn(
  admission: Pick<Admission, 'db' | 'wording' | 'now'>,
  { turnId, fence }: Hold,
): Promise<void> {
  const { db, now } = admission;
  await db.transaction().execute(async (tx) => {
    const turn = await tx
      .selectFrom('turn')
      .selectAll()
      .where('id', '=', turnId)
      .where('fence', '=', fence)
      .where('status', '=', 'running')
      .forUpdate()
      .executeTakeFirst();
    if (turn) await breakOff(tx, await standingOf(tx, turn, now()), admission);
  });
}

/** Gives up the turns of a node that ends, so that others need not wait for its lease. */
export async function releaseTurns({ db, node }: Pick<Admission, 'db' | 'node'>): Promise<void> {
  await db
    .updateTable('turn')
    .set({ lease_until: fromNow(0) })
    .where('node', '=', node)
    .where('status', '=', 'running')
    .execute();
}
