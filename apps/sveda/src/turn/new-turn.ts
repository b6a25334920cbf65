import { openTranscript } from '@portolan/agent';
import type { StreamRequest, UserMessage } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { admitted, holding, type Admission, type Admitted } from './admission.ts';
import { beginning, partsOf, withoutContent } from './message.ts';
import { insertEvents } from './store.ts';
import { numbered, type Draft } from './translate.ts';

/** A message without a chat opens one, with its first turn. */
export function openChat(
  admission: Admission,
  visitor: string,
  body: StreamRequest,
  message: UserMessage,
): Promise<Admitted> {
  const at = admission.now();
  const title = beginning(message.text, 80);
  const preview = beginning(message.text, 160);
  const chat = {
    id: admission.newId(),
    visitor_id: visitor,
    title,
    preview,
    created_at: at,
    updated_at: at,
  };
  const { turn, events, opened } = drafted(admission, { chatId: chat.id, ordinal: 1 }, body, message, [
    { type: 'chat.title', title },
  ]);
  return admission.db
    .with('opened_chat', (qb) => qb.insertInto('chat').values(chat))
    .with('opened_turn', (qb) => qb.insertInto('turn').values(turn))
    .insertInto('event')
    .values(events.map((event) => ({ turn_id: turn.id, id: event.id, body: JSON.stringify(event) })))
    .execute()
    .then(() => opened);
}

/** A message begins another turn of a chat that is locked. */
export async function newTurn(
  tx: Kysely<Tables>,
  admission: Admission,
  place: Place,
  body: StreamRequest,
  message: UserMessage,
): Promise<Admitted> {
  const { turn, events, opened } = drafted(admission, place, body, message, []);
  await tx.insertInto('turn').values(turn).execute();
  await tx
    .updateTable('chat')
    .set({ preview: beginning(message.text, 160), updated_at: admission.now() })
    .where('id', '=', place.chatId)
    .execute();
  await insertEvents(tx, turn.id, events);
  return opened;
}

/** Where a turn stands among those of its chat. */
interface Place {
  readonly chatId: string;
  readonly ordinal: number;
}

/** The row of a new turn, its first events, and what is admitted once both are stored. */
function drafted(
  admission: Admission,
  { chatId, ordinal }: Place,
  body: StreamRequest,
  message: UserMessage,
  more: readonly Draft[],
) {
  const { now, newId } = admission;
  const transcript = openTranscript();
  transcript.take({ type: 'message', parts: partsOf(message) });
  const id = newId();
  const events = numbered([{ type: 'message.start' }, ...more], {
    chatId,
    turnId: id,
    lastEvent: 0,
    at: now(),
  });
  const clientTools = body.clientTools ?? [];
  const row = { id, chat_id: chatId, ordinal, steps: 0, fence: 1, last_event: 0, model: body.model ?? null };
  const turn = {
    ...row,
    ...holding(admission),
    last_event: events.length,
    message: JSON.stringify(withoutContent(message)),
    context: JSON.stringify(body.context ?? null),
    client_tools: JSON.stringify(clientTools),
    entries: JSON.stringify(transcript.entries),
    created_at: now(),
  };
  return { turn, events, opened: admitted(row, events, transcript, clientTools, body.context) };
}
