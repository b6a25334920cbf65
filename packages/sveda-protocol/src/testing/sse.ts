import { SvedaEvent } from '../events.ts';
import { DONE } from '../wire.ts';

/** What stood in the body of one stream. */
export interface Segment {
  readonly events: readonly SvedaEvent[];
  /** True when `[DONE]` was the last block. */
  readonly done: boolean;
  /** Number of comment blocks: heartbeats. */
  readonly comments: number;
}

/**
 * Reads the whole body of a stream, strictly: every event fits its schema, its SSE id is its own id, nothing
 * follows `[DONE]`. Throws an Error that shows the block at fault.
 */
export function readSegment(body: string): Segment {
  const events: SvedaEvent[] = [];
  let done = false;
  let comments = 0;
  for (const block of body.split(/\r?\n\r?\n/).filter((one) => one.trim() !== '')) {
    if (block.startsWith(':')) {
      comments += 1;
      continue;
    }
    if (done) throw new Error(`after ${DONE}: ${block}`);
    if (block === `data: ${DONE}`) done = true;
    else events.push(readEvent(block));
  }
  return { events, done, comments };
}

function readEvent(block: string): SvedaEvent {
  const lines = /^id: (\d+)\r?\ndata: (.*)$/.exec(block);
  if (!lines) throw new Error(`not an id line and a data line: ${block}`);
  const event = SvedaEvent.parse(JSON.parse(lines[2] ?? ''));
  if (String(event.id) !== lines[1]) throw new Error(`SSE id ${lines[1]} on event ${event.id}`);
  return event;
}
