import type { Entry, TurnEvent } from '@portolan/agent';
import { LeaseLost } from '@portolan/store';
import type { SvedaEvent, TurnStatus } from '@sveda-ai/protocol';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** The segment that a writer writes: its turn, and the fence under which this node holds it. */
export interface Held {
  readonly turnId: string;
  readonly chatId: string;
  readonly fence: number;
  readonly lastEvent: number;
}

/** How a segment leaves its turn. */
export interface SegmentEnd {
  readonly status: TurnStatus;
  readonly entries: readonly Entry[];
  readonly steps: number;
}

/** One statement: the lease is looked at and everything is written, or nothing is. */
export async function commit(
  db: Kysely<Tables>,
  { turnId, fence }: Held,
  {
    log,
    events,
    position,
    lastEvent,
  }: { log: readonly TurnEvent[]; events: readonly SvedaEvent[]; position: number; lastEvent: number },
): Promise<void> {
  const { rows } = await sql`
    with held as (
      update turn set last_event = ${lastEvent} where id = ${turnId} and fence = ${fence} and status = 'running' returning id
    ), logged as (
      insert into segment_log (turn_id, position, body)
      select held.id, ${position} + row.ordinality, row.value from held, json_array_elements(${JSON.stringify(log)}::json) with ordinality row
    ), streamed as (
      insert into event (turn_id, id, body)
      select held.id, (row.value ->> 'id')::int, row.value from held, json_array_elements(${JSON.stringify(events)}::json) row
    )
    select pg_notify(${TURN_CHANNEL}, id::text) from held`.execute(db);
  if (rows.length === 0) throw new LeaseLost(turnId);
}

/** The last events and the end of the segment, together. */
export async function finish(
  db: Kysely<Tables>,
  { turnId, chatId, fence }: Held,
  { events, lastEvent }: { events: readonly SvedaEvent[]; lastEvent: number },
  { status, entries, steps }: SegmentEnd,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const ended = await tx
      .updateTable('turn')
      .set({
        status,
        entries: JSON.stringify(entries),
        steps,
        last_event: lastEvent,
        node: null,
        lease_until: null,
        stop_requested: false,
      })
      .where('id', '=', turnId)
      .where('fence', '=', fence)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (ended.numUpdatedRows === 0n) throw new LeaseLost(turnId);
    await tx.deleteFrom('segment_log').where('turn_id', '=', turnId).execute();
    await insertEvents(tx, turnId, events);
    await tx
      .updateTable('chat')
      .set({ updated_at: new Date(events.at(-1)?.at ?? 0) })
      .where('id', '=', chatId)
      .execute();
    await sql`select pg_notify(${TURN_CHANNEL}, ${turnId})`.execute(tx);
  });
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
