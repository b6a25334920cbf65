import type { Entry, TurnEvent } from '@portolan/agent';
import type { Store } from '@portolan/store';
import type { SvedaEvent, TurnStatus, Usage } from '@sveda-ai/protocol';
import type { Tables } from '../tables.ts';
import { storable } from './storable.ts';
import { TURN_CHANNEL } from './store.ts';

/** What one turn has to be written: all of it, or nothing. */
export interface Batch {
  readonly turnId: string;
  /** Under which this node holds the turn. */
  readonly fence: number;
  /** What the segment did, after the first `position` entries of its log. */
  readonly log: readonly TurnEvent[];
  readonly position: number;
  readonly events: readonly SvedaEvent[];
  readonly lastEvent: number;
  /** Readers on other nodes wait for it. */
  readonly tell: boolean;
  readonly end?: SegmentEnd | undefined;
}

/** How a segment leaves its turn. */
export interface SegmentEnd {
  readonly status: TurnStatus;
  readonly entries: readonly Entry[];
  readonly steps: number;
  readonly usage: Pick<Usage, 'inputTokens' | 'outputTokens'>;
  /** The policy of the visitor, by name: what usage is counted by. */
  readonly policy: string | undefined;
  /** Which tools it offered and left out, for the operator: plain JSON. */
  readonly tools: unknown;
}

/** written. busy: somebody else has the row just now, ask again. lost: the fence no longer fits, or the turn is gone. */
export type Outcome = 'written' | 'busy' | 'lost';

/**
 * Writes the batches of many turns in one statement, each only where its fence still fits. It waits for nobody's lock: one turn that
 * is being looked at holds up no other, and no order of locks can lead to a deadlock.
 */
export function batchWriter(prepare: Store<Tables>['prepare']) {
  const write = prepare<{ readonly id: string; readonly outcome: Outcome }>('commit_turns', STATEMENT);
  return async (batches: readonly Batch[], at: Date): Promise<ReadonlyMap<string, Outcome>> => {
    const rows = await write([
      storable(batches.map(turnRow)),
      TURN_CHANNEL,
      storable(batches.flatMap(logRows)),
      storable(batches.flatMap(eventRows)),
      at,
    ]);
    return new Map(rows.map(({ id, outcome }) => [id, outcome]));
  };
}

/** Planned once a connection: planning would cost more than the writing. */
const STATEMENT = `
  with asked as (
    select * from json_to_recordset($1::json)
      as row (id uuid, fence int, last_event int, tell boolean, status text, entries json, steps int,
        input_tokens int, output_tokens int, policy text, tools json)
  ), held as (
    select asked.* from turn join asked using (id) where turn.fence = asked.fence and turn.status = 'running'
    for no key update of turn skip locked
  ), moved as (
    update turn set last_event = held.last_event,
      status = coalesce(held.status, turn.status), entries = coalesce(held.entries, turn.entries),
      steps = coalesce(held.steps, turn.steps), tools = coalesce(held.tools, turn.tools),
      node = case when held.status is null then turn.node end,
      lease_until = case when held.status is null then turn.lease_until end,
      stop_requested = held.status is null and turn.stop_requested
    from held where turn.id = held.id
    returning turn.id, case when held.tell or held.status is not null then pg_notify($2, turn.id::text) end
  ), logged as (
    insert into segment_log (turn_id, position, body)
    select row.turn_id, row.position, row.body
    from json_to_recordset($3::json) as row (turn_id uuid, position int, body json)
    join moved on moved.id = row.turn_id
  ), forgotten as (
    delete from segment_log using held where segment_log.turn_id = held.id and held.status is not null
  ), streamed as (
    insert into event (turn_id, id, body)
    select row.turn_id, row.id, row.body
    from json_to_recordset($4::json) as row (turn_id uuid, id int, body json)
    join moved on moved.id = row.turn_id
  ), counted as (
    insert into usage (at, policy, input_tokens, output_tokens)
    select $5, policy, input_tokens, output_tokens from held where input_tokens + output_tokens > 0
  )
  select asked.id, case
    when moved.id is not null then 'written'
    when exists (select from turn where turn.id = asked.id and turn.fence = asked.fence and turn.status = 'running') then 'busy'
    else 'lost' end as outcome
  from asked left join moved on moved.id = asked.id`;

function turnRow({ turnId: id, fence, lastEvent: last_event, tell, end }: Batch) {
  const { status, entries, steps, usage, policy, tools } = end ?? {};
  const tokens = { input_tokens: usage?.inputTokens, output_tokens: usage?.outputTokens };
  return { id, fence, last_event, tell, status, entries, steps, policy, tools, ...tokens };
}

function logRows({ turnId: turn_id, log, position }: Batch) {
  return log.map((body, index) => ({ turn_id, position: position + index + 1, body }));
}

function eventRows({ turnId: turn_id, events }: Batch) {
  return events.map((body) => ({ turn_id, id: body.id, body }));
}
