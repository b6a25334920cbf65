import { sql, type Kysely } from 'kysely';
import type { Entry, TurnEvent } from '@portolan/agent';
import { LeaseLost } from '@portolan/store';
import type { SvedaEvent, TurnStatus } from '@sveda-ai/protocol';
import type { Tables } from '../tables.ts';
import type { Hub } from './hub.ts';
import { numbered, type Draft } from './translate.ts';

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

/** Writes what happens, and only then lets readers have it. */
export interface Writer {
  /** Takes an event of the loop and what visitors see of it. */
  push(event: TurnEvent, drafts: readonly Draft[]): void;
  /** Resolves when everything pushed is committed. Rejects with LeaseLost when another node has the turn. */
  settle(): Promise<void>;
  /** Commits what is left and the last events together with the end of the segment: whoever sees them finds it ended. */
  end(drafts: readonly Draft[], how: SegmentEnd): Promise<void>;
}

/** Events within this many milliseconds are committed together. The first after a pause goes at once. */
const GROUP_MS = 20;

export function openWriter(db: Kysely<Tables>, hub: Hub, held: Held, now: () => Date): Writer {
  let lastEvent = held.lastEvent;
  let position = 0;
  let batch: Batch = { log: [], drafts: [] };
  let writing: Promise<void> | undefined;
  let failed: unknown;
  let wrote = 0;

  function take(): { log: readonly TurnEvent[]; events: SvedaEvent[] } {
    const { log, drafts } = batch;
    batch = { log: [], drafts: [] };
    const events = numbered(drafts, { ...held, lastEvent, at: now() });
    lastEvent += events.length;
    return { log, events };
  }

  async function write(): Promise<void> {
    while (batch.log.length > 0) {
      const pause = wrote + GROUP_MS - now().getTime();
      if (pause > 0 && !urgent) await new Promise((resolve) => setTimeout(resolve, pause));
      wrote = now().getTime();
      const { log, events } = take();
      await commit(db, held, { log, events, position, lastEvent });
      position += log.length;
      hub.publish(held.turnId, events);
    }
  }

  let urgent = false;
  function start(): Promise<void> {
    writing ??= write()
      .catch((error: unknown) => {
        failed = error;
      })
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  return {
    push(event, drafts) {
      add(batch, event, drafts);
      void start();
    },
    async settle() {
      urgent = true;
      while (failed === undefined && (writing !== undefined || batch.log.length > 0)) await start();
      urgent = false;
      if (failed !== undefined) throw failed;
    },
    async end(drafts, how) {
      await writing;
      if (failed !== undefined) throw failed;
      batch.drafts.push(...drafts);
      const { events } = take();
      await finish(db, held, { events, lastEvent }, how);
      hub.publish(held.turnId, events);
    },
  };
}

interface Batch {
  log: TurnEvent[];
  drafts: Draft[];
}

/** Adjacent pieces of one text become one: nobody saw them apart. */
function add(batch: Batch, event: TurnEvent, drafts: readonly Draft[]): void {
  const before = batch.log.at(-1);
  const shown = batch.drafts.at(-1);
  const [draft] = drafts;
  if (
    event.type === 'text' &&
    before?.type === 'text' &&
    shown?.type === 'text.delta' &&
    draft?.type === 'text.delta'
  ) {
    batch.log[batch.log.length - 1] = { ...event, delta: before.delta + event.delta };
    batch.drafts[batch.drafts.length - 1] = { ...draft, delta: shown.delta + draft.delta };
    return;
  }
  batch.log.push(event);
  batch.drafts.push(...drafts);
}

/** One statement: the lease is looked at and everything is written, or nothing is. */
async function commit(
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

async function finish(
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
