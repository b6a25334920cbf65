import { HttpProblem } from '@portolan/http';
import type { StreamRequest } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { isUuid, refused, type Admission, type Admitted } from './admission.ts';
import { interrupt } from './close.ts';
import { goOn } from './go-on.ts';
import { lastTurn, type TurnRow } from './history.ts';
import { beginning } from './message.ts';
import { newTurn, type Chat } from './new-turn.ts';

/**
 * Takes a post: checks it against what is stored, changes the turn, and holds it for this node, all or nothing. Throws the
 * refusal (404, 409) when the post does not fit; nothing has changed then.
 */
export function admit(admission: Admission, visitor: string, body: StreamRequest): Promise<Admitted> {
  return admission.db.transaction().execute(async (tx) => {
    const chat = await chatOf(tx, admission, visitor, body);
    let last = await lastTurn(tx, chat.id);
    if (last?.status === 'running') last = await takenOver(tx, last, admission);
    if (body.message) return newTurn(tx, admission, chat, last, body, body.message);
    if (!last) throw refused('nothing_to_continue', 'The chat has no turn yet.');
    return goOn(tx, admission, last, body);
  });
}

/** The visitor's chat, locked; a message without a chat opens one. A chat of somebody else does not exist. */
async function chatOf(
  tx: Kysely<Tables>,
  { now, newId }: Admission,
  visitor: string,
  { chatId, message }: StreamRequest,
): Promise<Chat> {
  if (chatId !== undefined) {
    const found = isUuid(chatId)
      ? await tx
          .selectFrom('chat')
          .select('id')
          .where('id', '=', chatId)
          .where('visitor_id', '=', visitor)
          .forUpdate()
          .executeTakeFirst()
      : undefined;
    if (!found) throw new HttpProblem(404, 'not_found', 'There is no such chat.');
    return { id: found.id, isNew: false };
  }
  const id = newId();
  const title = beginning(message?.text ?? '', 80);
  const [created_at, updated_at] = [now(), now()];
  await tx
    .insertInto('chat')
    .values({ id, visitor_id: visitor, title, preview: title, created_at, updated_at })
    .execute();
  return { id, isNew: true };
}

/** A running turn stays with its node for as long as that one lives. */
async function takenOver(
  tx: Kysely<Tables>,
  turn: TurnRow,
  { wording, now }: Admission,
): Promise<TurnRow | undefined> {
  if ((turn.lease_until ?? now()) > now()) throw refused('turn_in_progress', 'The chat is still answering.');
  await interrupt(tx, turn, wording, now());
  return lastTurn(tx, turn.chat_id);
}
