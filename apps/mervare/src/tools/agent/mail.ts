import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import {
  AGENT_MAIL_STATES,
  enqueueAgentMail,
  listAgentMail,
  prepareMail,
  readAgentMail,
} from '../../agents/mail.ts';
import { actorId } from '../../audit/actor.ts';
import { LONGEST_SUBJECT, LONGEST_TEXT } from '../../mail/outbox.ts';
import { agentMailKey } from '../../mail/owner.ts';
import { repliesTo } from '../../mail/replies.ts';
import { agentsSwitch } from '../../mail/switch.ts';
import { REPLY_KINDS } from '../../mail/tables.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import {
  confirmed,
  Cursor,
  Email,
  Id,
  IdempotencyKey,
  Limit,
  NextCursor,
  OptionalUntrusted,
  Text,
  Time,
  written,
} from '../shapes.ts';
import { control } from './shapes.ts';

const State = z.enum(AGENT_MAIL_STATES);
const MailId = Id.describe('From agent_mail_list');
const MailShown = z.object({
  ...written,
  to: z.string(),
  subject: Untrusted,
  digest: z.string(),
  state: State,
  enqueuedBy: z.string().optional(),
  enqueuedAt: Time.optional(),
  sentAt: Time.optional(),
  failedAt: Time.optional(),
  reason: OptionalUntrusted,
});
const ReplyShown = z.object({
  kind: z.enum(REPLY_KINDS),
  sender: OptionalUntrusted,
  subject: OptionalUntrusted,
  text: OptionalUntrusted,
  receivedAt: Time,
});
/** Replies that one answer shows. */
const REPLIES = 10;

export const agentMailPrepare = change('agent_mail_prepare', {
  title: 'Prepare a mail',
  says: 'Keeps a letter to one person as it is, for good, and sends nothing. Its digest stands for exactly this text.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    to: Email,
    subject: Text(LONGEST_SUBJECT).describe('One line'),
    text: Text(LONGEST_TEXT).describe('Plain text'),
    idempotencyKey: IdempotencyKey,
  }),
  output: MailShown,
  example: { to: 'master@port.example', subject: 'Berths', text: 'May we call you on Monday?' },
}).run(async (letter, { tx, caller, now }) => {
  const mail = await prepareMail(tx, actorId(caller), letter, now);
  return { answer: show(mail), ids: [mail.id] };
});

export const agentMailEnqueue = change('agent_mail_enqueue', {
  title: 'Send a prepared mail',
  says: 'Queues a prepared letter: it goes out soon, or after the pause where there is one. Repeating it sends nothing twice.',
  access: control,
  effect: 'writes',
  idempotent: true,
  input: z.strictObject({
    mailId: MailId,
    digest: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe('As prepared'),
  }),
  output: MailShown,
  example: { mailId: '0198c5c8-2a00-7000-8000-000000000027', digest: '0'.repeat(64) },
  meta: confirmed,
}).run(async ({ mailId, digest }, { tx, caller, now }) => {
  const mail = await enqueueAgentMail(tx, actorId(caller), { id: mailId, digest }, now);
  return { answer: show(mail), ids: [mailId] };
});

export const agentMailGet = tool('agent_mail_get', {
  title: 'Read a mail',
  says: `One letter whole, where it stands, and the latest ${REPLIES} replies. Who a reply says it is from is not proven.`,
  access: control,
  effect: 'reads',
  input: z.strictObject({ mailId: MailId }),
  output: MailShown.extend({ text: Untrusted, replies: z.array(ReplyShown) }),
  example: { mailId: '0198c5c8-2a00-7000-8000-000000000027' },
}).run(async ({ mailId }, { deps }) => {
  const mail = await readAgentMail(deps.db, mailId);
  const replies = await repliesTo(deps.db, agentMailKey(mailId), REPLIES);
  return {
    ...present(mail, 'subject', 'text', 'reason'),
    replies: replies.map(({ kind, sender, subject, text, receivedAt }) =>
      present({ kind, sender, subject, text, receivedAt }, 'sender', 'subject', 'text'),
    ),
  };
});

export const agentMailList = tool('agent_mail_list', {
  title: 'List mails',
  says: 'Letters of all agents and where they stand, the newest first, and whether they are paused.',
  access: control,
  effect: 'reads',
  input: z.strictObject({ state: State.optional(), limit: Limit, cursor: Cursor }),
  output: z.object({ paused: z.boolean(), mails: z.array(MailShown), nextCursor: NextCursor }),
  example: { state: 'queued' },
}).run(async ({ state, ...paging }, { deps }) => {
  const { rows, ...page } = await listAgentMail(deps.db, { state }, paging);
  const { paused_at } = await agentsSwitch(deps.db);
  return { paused: paused_at !== null, mails: rows.map(show), ...page };
});

function show(mail: Awaited<ReturnType<typeof prepareMail>>) {
  return present(mail, 'subject', 'reason');
}
