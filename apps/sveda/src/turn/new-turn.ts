import { openCalls, openTranscript } from '@portolan/agent';
import type { StreamRequest, UserMessage } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { admitted, holding, refused, type Admission, type Admitted } from './admission.ts';
import { closeWaiting } from './close.ts';
import { transcriptOf, type TurnRow } from './history.ts';
import { beginning, partsOf, withoutContent } from './message.ts';
import { numbered, type Draft } from './translate.ts';
import { insertEvents } from './store.ts';

/** The chat that a message belongs to, locked. */
export interface Chat {
  readonly id: string;
  readonly isNew: boolean;
}

/** A message begins a turn. Calls of the page that the turn before has open are closed; one that waits for a decision refuses. */
export async function newTurn(
  tx: Kysely<Tables>,
  admission: Admission,
  chat: Chat,
  last: TurnRow | undefined,
  body: StreamRequest,
  message: UserMessage,
): Promise<Admitted> {
  const { wording, now, newId } = admission;
  if (last && last.status !== 'done' && last.status !== 'stopped') {
    const open = openCalls((await transcriptOf(tx, last)).lastStep);
    if (open.some(({ state }) => state === 'asking'))
      throw refused('confirmation_pending', 'A call waits for your decision.');
    if (open.length > 0) await closeWaiting(tx, last, wording, now());
  }
  const transcript = openTranscript();
  transcript.take({ type: 'message', parts: partsOf(message) });
  const turn = { id: newId(), chat_id: chat.id, ordinal: (last?.ordinal ?? 0) + 1 };
  const title = beginning(message.text, 80);
  const drafts: Draft[] = [
    { type: 'message.start' },
    ...(chat.isNew ? [{ type: 'chat.title', title } as const] : []),
  ];
  const clientTools = body.clientTools ?? [];
  const row = { ...turn, steps: 0, fence: 1, last_event: 0, model: body.model ?? null };
  await tx
    .insertInto('turn')
    .values({
      ...row,
      ...holding(admission),
      last_event: drafts.length,
      message: JSON.stringify(withoutContent(message)),
      context: JSON.stringify(body.context ?? null),
      client_tools: JSON.stringify(clientTools),
      entries: JSON.stringify(transcript.entries),
      created_at: now(),
    })
    .execute();
  await tx
    .updateTable('chat')
    .set({ preview: beginning(message.text, 160), updated_at: now() })
    .where('id', '=', chat.id)
    .execute();
  await insertEvents(
    tx,
    row.id,
    numbered(drafts, { chatId: chat.id, turnId: row.id, lastEvent: 0, at: now() }),
  );
  return admitted(row, drafts, transcript, clientTools, body.context);
}
