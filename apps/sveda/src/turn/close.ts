import { closing, openCalls, type Transcript, type TurnEvent } from '@portolan/agent';
import { sql, type Kysely } from 'kysely';
import type { TurnStatus } from '@sveda-ai/protocol';
import type { Tables } from '../tables.ts';
import { transcriptOf, type TurnRow } from './history.ts';
import { draftsOf, numbered, type Draft, type Wording } from './translate.ts';
import { insertEvents, TURN_CHANNEL } from './store.ts';

/** Ends a turn whose calls wait, without asking the model: every open call is closed. */
export async function closeWaiting(
  tx: Kysely<Tables>,
  turn: TurnRow,
  wording: Wording,
  now: Date,
): Promise<void> {
  const transcript = await transcriptOf(tx, turn);
  const drafts = [
    { type: 'message.start' } as const,
    ...closeCalls(transcript, wording, () => true),
    { type: 'message.end', finishReason: 'stopped' } as const,
  ];
  await store(tx, turn, transcript, 'stopped', drafts, now);
}

/**
 * Ends the segment of a node that is gone: what it was doing is told as broken off, and calls that it had sent as
 * uncertain, never to be sent again. Calls that wait for the page or the visitor stay open.
 */
export async function interrupt(
  tx: Kysely<Tables>,
  turn: TurnRow,
  wording: Wording,
  now: Date,
): Promise<void> {
  const transcript = await transcriptOf(tx, turn);
  if (transcript.lastStep?.ended === 'open') transcript.take({ type: 'step.end', ended: 'cut', calls: [] });
  const drafts = [
    ...closeCalls(transcript, wording, ({ state }) => state !== 'asking' && state !== 'page'),
    { type: 'error', code: 'interrupted', message: 'The answer was interrupted.', retryable: true } as const,
    { type: 'message.end', finishReason: 'error' } as const,
  ];
  await store(tx, turn, transcript, 'error', drafts, now);
}

function closeCalls(
  transcript: Transcript,
  wording: Wording,
  which: (call: ReturnType<typeof openCalls>[number]) => boolean,
): Draft[] {
  return openCalls(transcript.lastStep)
    .filter(which)
    .flatMap((call) => {
      const event: TurnEvent = closing(call);
      transcript.take(event);
      return draftsOf(event, (id) => transcript.call(id), wording);
    });
}

async function store(
  tx: Kysely<Tables>,
  turn: TurnRow,
  transcript: Transcript,
  status: TurnStatus,
  drafts: readonly Draft[],
  at: Date,
): Promise<void> {
  const events = numbered(drafts, { chatId: turn.chat_id, turnId: turn.id, lastEvent: turn.last_event, at });
  await insertEvents(tx, turn.id, events);
  await tx.deleteFrom('segment_log').where('turn_id', '=', turn.id).execute();
  await tx
    .updateTable('turn')
    .set({
      status,
      entries: JSON.stringify(transcript.entries),
      last_event: turn.last_event + events.length,
      fence: turn.fence + 1,
      node: null,
      lease_until: null,
      stop_requested: false,
    })
    .where('id', '=', turn.id)
    .execute();
  await sql`select pg_notify(${TURN_CHANNEL}, ${turn.id})`.execute(tx);
}
