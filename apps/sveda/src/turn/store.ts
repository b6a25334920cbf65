import { sql, type Kysely } from 'kysely';
import type { SvedaEvent } from '@sveda-ai/protocol';
import type { Tables } from '../tables.ts';

/** The segment that a writer writes: its turn, and the fence under which this node holds it. */
export interface Held {
  readonly turnId: string;
  readonly chatId: string;
  readonly fence: number;
  readonly lastEvent: number;
}

/** Stores events as they will be read. */
export async function insertEvents(
  tx: Kysely<Tables>,
  turnId: string,
  events: readonly SvedaEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await tx
    .insertInto('event')
    .values(events.map((event) => ({ turn_id: turnId, id: event.id, body: JSON.stringify(event) })))
    .execute();
}

/** Where nodes tell each other that a turn has news. */
export const TURN_CHANNEL = 'sveda_turn';

/** Wakes the readers of a turn on all nodes when `tx` commits. */
export async function tellReaders(tx: Kysely<Tables>, turnId: string): Promise<void> {
  await sql`select pg_notify(${TURN_CHANNEL}, ${turnId})`.execute(tx);
}
