import type { Call, OutsideEvent, Transcript, TurnEvent } from '@portolan/agent';
import { HttpProblem } from '@portolan/http';
import type { StreamRequest } from '@sveda-ai/protocol';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { admitted, holding, refused, type Admission, type Admitted } from './admission.ts';
import { pageResult } from './page-result.ts';
import type { Standing } from './standing.ts';
import { insertEvents } from './store.ts';
import { draftsOf, numbered, type Draft } from './translate.ts';

/** Says whether the policy still allows a call of the page. Calls that run here are asked about when they are sent. */
export type MayRun = (call: Call) => boolean;

/** Results, decisions, or the wish to go on: the same turn gets another segment. */
export async function goOn(
  tx: Kysely<Tables>,
  admission: Admission,
  { row: turn, transcript }: Standing,
  body: StreamRequest,
  mayRun: MayRun,
): Promise<Admitted> {
  const { wording, now } = admission;
  const drafts: Draft[] = [{ type: 'message.start' }];
  for (const event of outsideEvents(transcript, body, mayRun)) {
    transcript.take(event);
    drafts.push(...draftsOf(event, (id) => transcript.call(id), wording));
  }
  const clientTools = body.clientTools ?? turn.client_tools;
  const context = body.context ?? turn.context ?? undefined;
  const model = body.model ?? turn.model;
  const row = { ...turn, model, fence: turn.fence + 1, steps: turn.status === 'max_steps' ? 0 : turn.steps };
  const at = { chatId: turn.chat_id, turnId: turn.id, lastEvent: turn.last_event, at: now() };
  const events = numbered(drafts, at);
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
      model,
      stop_requested: false,
    })
    .where('id', '=', turn.id)
    .execute();
  await tx.deleteFrom('segment_log').where('turn_id', '=', turn.id).execute();
  await tx.updateTable('chat').set({ updated_at: now() }).where('id', '=', turn.chat_id).execute();
  await insertEvents(tx, turn.id, events);
  return admitted(row, events, transcript, clientTools, context);
}

/** What the post says of calls that this server issued and that are open for just that. One that is not refuses all. */
function outsideEvents(
  transcript: Transcript,
  { toolResults = [], toolDecisions = [] }: StreamRequest,
  mayRun: MayRun,
): (TurnEvent | OutsideEvent)[] {
  const demand = (callId: string, state: 'asking' | 'page'): void => {
    if (transcript.call(callId)?.state === state) return;
    const wants = state === 'asking' ? 'a decision' : 'a result of the page';
    throw refused('call_not_open', `The call ${callId.slice(0, 128)} does not wait for ${wants}.`);
  };
  return [
    ...toolDecisions.map(({ toolCallId, decision, reason }) => {
      demand(toolCallId, 'asking');
      if (decision === 'approve') demandAllowed(transcript.call(toolCallId), mayRun);
      return { type: 'decision', callId: toolCallId, decision, reason } as const;
    }),
    ...toolResults.map((post) => {
      demand(post.toolCallId, 'page');
      return pageResult(post);
    }),
  ];
}

/** An approved call of the page runs there as soon as it is told, so this is the last moment to ask. */
function demandAllowed(call: Call | undefined, mayRun: MayRun): void {
  if (call?.runs === 'page' && !mayRun(call))
    throw new HttpProblem(403, 'forbidden', 'The policy no longer allows this tool of the page.');
}
