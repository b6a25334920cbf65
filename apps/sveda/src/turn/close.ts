import { closing, openCalls, type Call, type Transcript } from '@portolan/agent';
import type { TurnStatus } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import type { Admission } from './admission.ts';
import { decide } from './machine.ts';
import type { Standing } from './standing.ts';
import { insertEvents, tellReaders } from './store.ts';
import { draftsOf, numbered, type Draft, type Wording } from './translate.ts';

/** What closing a turn from outside needs. */
export type Closing = Pick<Admission, 'wording' | 'now'>;

/** Ends a turn whose calls wait, without asking the model: every open call is closed. */
export async function closeTurn(
  tx: Kysely<Tables>,
  standing: Standing,
  { wording, now }: Closing,
): Promise<void> {
  const drafts = [
    { type: 'message.start' } as const,
    ...closeCalls(standing.transcript, wording, () => true),
    { type: 'message.end', finishReason: 'stopped' } as const,
  ];
  await store(tx, standing, 'stopped', drafts, now());
}

/**
 * Ends the segment of a node that is gone: what it was doing is told as broken off, and calls that it had sent as
 * uncertain, never to be sent again. Calls that wait for the page or the visitor stay open.
 */
export async function breakOff(
  tx: Kysely<Tables>,
  standing: Standing,
  { wording, now }: Closing,
): Promise<void> {
  if (decide(standing.phase, 'death').does !== 'break off') return;
  const { transcript } = standing;
  if (transcript.lastStep?.ended === 'open') transcript.take({ type: 'step.end', ended: 'cut', calls: [] });
  const drafts = [
    ...closeCalls(transcript, wording, ({ state }) => state !== 'asking' && state !== 'page'),
    { type: 'error', code: 'interrupted', message: 'The answer was interrupted.', retryable: true } as const,
    { type: 'message.end', finishReason: 'error' } as const,
  ];
  await store(tx, standing, 'error', drafts, now());
}

function closeCalls(transcript: Transcript, wording: Wording, which: (call: Call) => boolean): Draft[] {
  return openCalls(transcript.lastStep)
    .filter(which)
    .flatMap((call) => {
      const event = closing(call);
      transcript.take(event);
      return draftsOf(event, (id) => transcript.call(id), wording);
    });
}

async function store(
  tx: Kysely<Tables>,
  { row, transcript }: Standing,
  status: TurnStatus,
  drafts: readonly Draft[],
  at: Date,
): Promise<void> {
  const events = numbered(drafts, { chatId: row.chat_id, turnId: row.id, lastEvent: row.last_event, at });
  await insertEvents(tx, row.id, events);
  await tx.deleteFrom('segment_log').where('turn_id', '=', row.id).execute();
  await tx
    .updateTable('turn')
    .set({
      status,
      entries: JSON.stringify(transcript.entries),
      last_event: row.last_event + events.length,
      fence: row.fence + 1,
      node: null,
      lease_until: null,
      stop_requested: false,
    })
    .where('id', '=', row.id)
    .execute();
  await tellReaders(tx, row.id);
}
