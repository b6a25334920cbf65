import { sql } from 'kysely';
import type { Admission } from './admission.ts';
import { breakOff, closeTurn } from './close.ts';
import { decide } from './machine.ts';
import { lastStanding } from './standing.ts';

/** Where nodes tell each other that a visitor wants a turn to stop. */
export const STOP_CHANNEL = 'sveda_stop';

/** A waiting turn is closed here and now; a running one is told, wherever it runs. Another turn than the chat's last one has ended. */
export function stopTurn(
  admission: Pick<Admission, 'db' | 'wording' | 'now'>,
  chatId: string,
  turnId: string,
): Promise<void> {
  const { db, now } = admission;
  return db.transaction().execute(async (tx) => {
    // The order of locks of every post: the chat, then its turn.
    await tx.selectFrom('chat').select('id').where('id', '=', chatId).forUpdate().execute();
    const last = await lastStanding(tx, chatId, now());
    if (last?.row.id !== turnId) return;
    if (last.isAbandoned) return breakOff(tx, last, admission);
    const { does } = decide(last.phase, 'stop');
    if (does === 'close') await closeTurn(tx, last, admission);
    if (does !== 'tell') return;
    await tx.updateTable('turn').set({ stop_requested: true }).where('id', '=', turnId).execute();
    await sql`select pg_notify(${STOP_CHANNEL}, ${turnId})`.execute(tx);
  });
}
