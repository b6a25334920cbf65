import { openTranscript, type Entry, type Transcript } from '@portolan/agent';
import type { Kysely, Selectable } from 'kysely';
import type { Tables } from '../tables.ts';

export type TurnRow = Selectable<Tables['turn']>;

/** Earlier turns that the model is shown. */
const EARLIER_TURNS = 40;

/** What one turn has come to: its stored entries, and what a segment did that did not live to end. */
export async function transcriptOf(db: Kysely<Tables>, turn: TurnRow): Promise<Transcript> {
  const transcript = openTranscript(turn.entries);
  const rows = await db
    .selectFrom('segment_log')
    .select('body')
    .where('turn_id', '=', turn.id)
    .orderBy('position')
    .execute();
  for (const { body } of rows) transcript.take(body);
  return transcript;
}

/** The entries of the turns before this one, oldest first. */
export async function entriesBefore(
  db: Kysely<Tables>,
  turn: Pick<TurnRow, 'chat_id' | 'ordinal'>,
): Promise<Entry[]> {
  const rows = await db
    .selectFrom('turn')
    .select('entries')
    .where('chat_id', '=', turn.chat_id)
    .where('ordinal', '<', turn.ordinal)
    .orderBy('ordinal', 'desc')
    .limit(EARLIER_TURNS)
    .execute();
  return rows.toReversed().flatMap(({ entries }) => [...entries]);
}

/** The last turn of a chat, locked until the transaction ends. */
export function lastTurn(tx: Kysely<Tables>, chatId: string): Promise<TurnRow | undefined> {
  return tx
    .selectFrom('turn')
    .selectAll()
    .where('chat_id', '=', chatId)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}
