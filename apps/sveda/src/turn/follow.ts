import type { Kysely } from 'kysely';
import type { SvedaEvent } from '@sveda-ai/protocol';
import type { Tables } from '../tables.ts';
import type { Hub } from './hub.ts';

/** Events read at once by a reader that is far behind: a result may have a mebibyte, and its reader may be slow. */
const BATCH = 64;

/**
 * The events of a turn after `after`, those stored first and then live, from whichever node, up to the end of the segment.
 * Ends at once where nothing is missing and nothing runs. Every event comes once, in order.
 */
export async function* follow(
  db: Kysely<Tables>,
  hub: Hub,
  { turnId, after, signal }: { turnId: string; after: number; signal: AbortSignal },
): AsyncGenerator<SvedaEvent, void> {
  const place = hub.open(turnId);
  let last = after;
  try {
    while (!signal.aborted) {
      const live = place.after(last);
      const next = live ?? (await stored(db, turnId, last));
      for (const event of next) {
        yield event;
        last = event.id;
        if (event.type === 'message.end') return;
      }
      if (next.length > 0) continue;
      if (!live && !(await goesOn(db, turnId, last))) return;
      await place.news(signal);
    }
  } finally {
    place.close();
  }
}

async function stored(db: Kysely<Tables>, turnId: string, after: number): Promise<SvedaEvent[]> {
  const rows = await db
    .selectFrom('event')
    .select('body')
    .where('turn_id', '=', turnId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(BATCH)
    .execute();
  return rows.map(({ body }) => body);
}

/** More is to come: the turn runs, or something was stored in the meantime. */
async function goesOn(db: Kysely<Tables>, turnId: string, last: number): Promise<boolean> {
  const turn = await db
    .selectFrom('turn')
    .select(['status', 'last_event'])
    .where('id', '=', turnId)
    .executeTakeFirst();
  return turn !== undefined && (turn.status === 'running' || turn.last_event > last);
}
