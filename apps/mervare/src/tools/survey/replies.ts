import { needs } from '@portolan/mcp/tool';
import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { handleReply, listReplies } from '../../mail/replies.ts';
import { REPLY_KINDS } from '../../mail/tables.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Count, Cursor, Id, Limit, NextCursor, OptionalUntrusted, Time } from '../shapes.ts';

const ReplyShown = z.object({
  id: Id,
  surveyId: Id,
  invitationId: Id,
  kind: z.enum(REPLY_KINDS),
  sender: OptionalUntrusted,
  subject: OptionalUntrusted,
  text: OptionalUntrusted,
  cut: z.boolean(),
  attachments: Count,
  receivedAt: Time,
  handledAt: Time.optional(),
  handledBy: z.string().optional(),
});

export const surveyReplies = tool('survey_replies', {
  title: 'Read replies to invitations',
  says: 'Mail that came back for invitations, the newest first: replies of people, automatic ones, and bounces. Who a reply says it is from is not proven.',
  access: needs('publisher', 'analyst'),
  effect: 'reads',
  input: z.strictObject({
    surveyId: Id.optional(),
    invitationId: Id.optional(),
    handled: z.boolean().optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ replies: z.array(ReplyShown), nextCursor: NextCursor }),
  example: { handled: false },
}).run(async ({ surveyId: survey, invitationId: invitation, handled, ...paging }, { deps }) => {
  const { rows, ...page } = await listReplies(deps.db, { survey, invitation, handled }, paging);
  return { replies: rows.map((row) => present(row, 'sender', 'subject', 'text')), ...page };
});

export const surveyReplyHandled = change('survey_reply_handled', {
  title: 'Mark a reply as done',
  says: 'Says that a reply needs nothing more. Find ids with survey_replies.',
  access: needs('publisher'),
  effect: 'writes',
  idempotent: true,
  input: z.strictObject({ replyId: Id }),
  output: z.object({ id: Id, handledAt: Time.optional(), handledBy: z.string().optional() }),
  example: { replyId: '0198c5c8-2a00-7000-8000-000000000041' },
}).run(async ({ replyId }, { tx, caller, now }) => {
  const { id, handledAt, handledBy } = await handleReply(tx, actorId(caller), replyId, now);
  return { answer: present({ id, handledAt, handledBy }), ids: [id] };
});
