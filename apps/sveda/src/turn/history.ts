import { openTranscript, type Entry, type Transcript } from '@portolan/agent';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { Tables } from '../tables.ts';

export type TurnRow = Selectable<Tables['turn']>;

/** Earlier turns that the model is shown, and the bytes of all of them: a visitor may send images with each. */
const EARLIER_TURNS = 40;
const EARLIER_BYTES = 64 * 1024 * 1024;

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

/** The entries of the turns before this one, oldest first; of a long chat the last ones that may be held in memory. */
export async function entriesBefore(
  db: Kysely<Tables>,
  { chat_id, ordinal }: Pick<TurnRow, 'chat_id' | 'ordinal'>,
): Promise<Entry[]> {
  const { rows } = await sql<Pick<TurnRow, 'entries'>>`
    with earlier as (
      select entries, ordinal from turn where chat_id = ${chat_id} and ordinal < ${ordinal}
      order by ordinal desc limit ${EARLIER_TURNS}
    ), measured as (
      select entries, ordinal, sum(octet_length(entries::text)) over (order by ordinal desc) as bytes from earlier
    )
    select entries from measured where bytes <= ${EARLIER_BYTES} order by ordinal`.execute(db);
  return rows.flatMap(({ entries }) => [...entries]);
}

/** The last turn of a chat, locked until the transaction ends, and whether its node has not said for a whole lease that it lives. */
export function lastTurn(
  tx: Kysely<Tables>,
  chatId: string,
): Promise<(TurnRow & { readonly is_abandoned: boolean }) | undefined> {
  return tx
    .selectFrom('turn')
    .selectAll()
    .select(sql<boolean>`coalesce(lease_until <= clock_timestamp(), false)`.as('is_abandoned'))
    .where('chat_id', '=', chatId)
    .orderBy('ordinal', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}
