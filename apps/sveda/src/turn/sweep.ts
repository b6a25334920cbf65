import type { Admission } from './admission.ts';
import { breakOff } from './close.ts';
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
      .where('lease_until', '<=', now())
      .limit(BATCH)
      .forUpdate()
      .skipLocked()
      .execute();
    for (const turn of lost) await breakOff(tx, await standingOf(tx, turn, now()), admission);
    return lost.length;
  });
}

/** Gives up the turns of a node that ends, so that others need not wait for its lease. */
export async function releaseTurns({ db, node, now }: Pick<Admission, 'db' | 'node' | 'now'>): Promise<void> {
  await db
    .updateTable('turn')
    .set({ lease_until: now() })
    .where('node', '=', node)
    .where('status', '=', 'running')
    .execute();
}
