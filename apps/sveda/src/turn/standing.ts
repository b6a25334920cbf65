import { openCalls, type Transcript } from '@portolan/agent';
import { sql, type Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { lastTurn, transcriptOf, type TurnRow } from './history.ts';
import { phaseOf, type Phase } from './machine.ts';

/** A stored turn, locked, and where it stands. */
export interface Standing {
  readonly row: TurnRow;
  readonly transcript: Transcript;
  readonly phase: Phase;
}

/** The last turn of a chat, locked until the transaction ends. Abandoned: its node has not said for a whole lease that it lives. */
export async function lastStanding(
  tx: Kysely<Tables>,
  chatId: string,
  now: Date,
): Promise<(Standing & { readonly isAbandoned: boolean }) | undefined> {
  const row = await lastTurn(tx, chatId);
  return row && { ...(await standingOf(tx, row, now)), isAbandoned: row.is_abandoned };
}

/** Where a turn stands whose row is locked. */
export async function standingOf(tx: Kysely<Tables>, row: TurnRow, now: Date): Promise<Standing> {
  const transcript = await transcriptOf(tx, row);
  const asks = openCalls(transcript.lastStep).some(({ state }) => state === 'asking');
  const askedAt = asks ? await lastAsked(tx, row.id) : undefined;
  return { row, transcript, phase: phaseOf(row.status, transcript, askedAt, now) };
}

/** When the turn last asked for a decision. All open calls belong to one step, so they were asked together. */
async function lastAsked(tx: Kysely<Tables>, turnId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: string | null }>`
    select max(body ->> 'at') as at from event
    where turn_id = ${turnId} and body ->> 'type' = 'tool.call' and body ->> 'confirmation' = 'required'`.execute(
    tx,
  );
  return rows[0]?.at ? new Date(rows[0].at) : undefined;
}
