import {
  openCalls,
  openTranscript,
  type OutsideEvent,
  type Transcript,
  type TurnEvent,
  type UserPart,
} from '@portolan/agent';
import type { Kysely } from 'kysely';
import { HttpProblem } from '@portolan/http';
import type { ClientTool, StreamRequest } from '@sveda-ai/protocol';
import type { Tables } from '../tables.ts';
import { closeWaiting, interrupt } from './close.ts';
import { lastTurn, transcriptOf, type TurnRow } from './history.ts';
import { pageResult } from './page-result.ts';
import { draftsOf, numbered, type Draft, type Wording } from './translate.ts';
import { insertEvents, type Held } from './writer.ts';

/** What admits a post needs around it. */
export interface Admission {
  readonly db: Kysely<Tables>;
  readonly wording: Wording;
  /** Name of this node: who holds the turn. */
  readonly node: string;
  readonly leaseMs: number;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** A segment that may run: its turn is held by this node, and its first events are stored. */
export interface Admitted extends Held {
  /** Readers of this post begin after this event. */
  readonly after: number;
  readonly ordinal: number;
  readonly steps: number;
  readonly transcript: Transcript;
  readonly clientTools: readonly ClientTool[];
  readonly context: Record<string, unknown> | undefined;
}

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

interface Chat {
  readonly id: string;
  readonly isNew: boolean;
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

async function newTurn(
  tx: Kysely<Tables>,
  admission: Admission,
  chat: Chat,
  last: TurnRow | undefined,
  body: StreamRequest,
  message: NonNullable<StreamRequest['message']>,
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
  const row = { ...turn, steps: 0, fence: 1, last_event: 0 };
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

/** Results, decisions, or the wish to go on: the same turn gets another segment. */
async function goOn(
  tx: Kysely<Tables>,
  admission: Admission,
  turn: TurnRow,
  body: StreamRequest,
): Promise<Admitted> {
  const { wording, now } = admission;
  const transcript = await transcriptOf(tx, turn);
  if (body.continue && !['max_steps', 'error'].includes(turn.status))
    throw refused('nothing_to_continue', 'There is nothing to continue.');
  if (body.continue && openCalls(transcript.lastStep).some(({ state }) => state === 'asking'))
    throw refused('confirmation_pending', 'A call waits for your decision.');
  const drafts: Draft[] = [{ type: 'message.start' }];
  for (const event of outsideEvents(transcript, body)) {
    transcript.take(event);
    drafts.push(...draftsOf(event, (id) => transcript.call(id), wording));
  }
  const clientTools = body.clientTools ?? turn.client_tools;
  const context = body.context ?? turn.context ?? undefined;
  const row = { ...turn, fence: turn.fence + 1, steps: turn.status === 'max_steps' ? 0 : turn.steps };
  await tx
    .updateTable('turn')
    .set({
      ...holding(admission),
      fence: row.fence,
      steps: row.steps,
      last_event: turn.last_event + drafts.length,
      client_tools: JSON.stringify(clientTools),
      context: JSON.stringify(context ?? null),
      entries: JSON.stringify(transcript.entries),
      stop_requested: false,
    })
    .where('id', '=', turn.id)
    .execute();
  await tx.deleteFrom('segment_log').where('turn_id', '=', turn.id).execute();
  const at = { chatId: turn.chat_id, turnId: turn.id, lastEvent: turn.last_event, at: now() };
  await insertEvents(tx, turn.id, numbered(drafts, at));
  return admitted(row, drafts, transcript, clientTools, context);
}

/** What the post says of calls that this server issued and that are open for just that. One that is not refuses all. */
function outsideEvents(
  transcript: Transcript,
  { toolResults = [], toolDecisions = [] }: StreamRequest,
): (TurnEvent | OutsideEvent)[] {
  const demand = (callId: string, state: 'asking' | 'page'): void => {
    if (transcript.call(callId)?.state === state) return;
    const wants = state === 'asking' ? 'a decision' : 'a result of the page';
    throw refused('call_not_open', `The call ${callId.slice(0, 128)} does not wait for ${wants}.`);
  };
  return [
    ...toolDecisions.map(({ toolCallId, decision, reason }) => {
      demand(toolCallId, 'asking');
      return { type: 'decision', callId: toolCallId, decision, reason } as const;
    }),
    ...toolResults.map((post) => {
      demand(post.toolCallId, 'page');
      return pageResult(post);
    }),
  ];
}

function holding({ node, leaseMs, now }: Admission) {
  return { status: 'running' as const, node, lease_until: new Date(now().getTime() + leaseMs) };
}

function admitted(
  row: Pick<TurnRow, 'id' | 'chat_id' | 'ordinal' | 'fence' | 'steps' | 'last_event'>,
  drafts: readonly Draft[],
  transcript: Transcript,
  clientTools: readonly ClientTool[],
  context: Record<string, unknown> | undefined,
): Admitted {
  const { id: turnId, chat_id: chatId, ordinal, fence, steps, last_event: after } = row;
  return {
    turnId,
    chatId,
    ordinal,
    fence,
    steps,
    after,
    lastEvent: after + drafts.length,
    transcript,
    clientTools,
    context,
  };
}

function partsOf({ text, files = [] }: NonNullable<StreamRequest['message']>): UserPart[] {
  return [
    { type: 'text', text },
    ...files.map((file): UserPart =>
      'data' in file
        ? { type: 'image', mediaType: file.mediaType, data: file.data }
        : { type: 'text', text: `File ${file.name} (${file.mediaType}):\n${file.text}` },
    ),
  ];
}

/** The message as it is read again: files by name, their content is in the history for the model. */
function withoutContent({ text, files }: NonNullable<StreamRequest['message']>) {
  return { text, ...(files && { files: files.map(({ name, mediaType }) => ({ name, mediaType })) }) };
}

function beginning(text: string, most: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

export function isUuid(id: string): boolean {
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);
}

export function refused(error: string, message: string): HttpProblem {
  return new HttpProblem(409, error, message);
}
