import { createHash, timingSafeEqual } from 'node:crypto';
import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { enqueueMail, requireSendable, type NewLetter } from '../mail/outbox.ts';
import { agentMailKey } from '../mail/owner.ts';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { stamp, tell } from './events.ts';

/** Where a letter of an agent stands. Nobody withdraws one. */
export const AGENT_MAIL_STATES = ['prepared', 'queued', 'sending', 'sent', 'bounced', 'suppressed'] as const;
export type AgentMailState = (typeof AGENT_MAIL_STATES)[number];

/** A letter of an agent, without its text. */
export interface AgentMailBrief {
  readonly id: string;
  readonly by: string;
  readonly at: Date;
  readonly to: string;
  readonly subject: string;
  /** SHA-256 of address, subject and text, in hexadecimal digits: what must be named to queue exactly them. */
  readonly digest: string;
  readonly state: AgentMailState;
  readonly enqueuedBy: string | null;
  readonly enqueuedAt: Date | null;
  readonly sentAt: Date | null;
  /** When it bounced or was suppressed. */
  readonly failedAt: Date | null;
  /** Words of a mail server. */
  readonly reason: string | null;
}

/** The same, whole. */
export interface AgentMail extends AgentMailBrief {
  readonly text: string;
}

const brief: RawBuilder<AgentMailBrief> = sql<AgentMailBrief>`m.id, m."by", m.at, m.addressee as "to", m.subject,
  encode(m.digest, 'hex') as digest, coalesce(l.state, 'prepared') as state, m.enqueued_by as "enqueuedBy",
  m.enqueued_at as "enqueuedAt", l.sent_at as "sentAt", l.failed_at as "failedAt", l.reason`;

const letters = sql`agent_mail m left join mail_letter l on l.key = ${agentMailKey('')} || m.id`;

/** What an agent writes to somebody. */
export type AgentMailText = Pick<NewLetter, 'to' | 'subject' | 'text'>;

/** Keeps a letter as it is, for good, and sends nothing. Throws a Refusal for one that could not be sent. */
export async function prepareMail(
  tx: Transaction<SiteTables>,
  by: string,
  { to, subject, text }: AgentMailText,
  now: number,
): Promise<AgentMailBrief> {
  requireSendable({ to, subject, text });
  const digest = createHash('sha256')
    .update(JSON.stringify([to, subject, text]))
    .digest();
  const first = stamp(by, now);
  await tx
    .insertInto('agent_mail')
    .values({ ...first, addressee: to, subject, text, digest, enqueued_at: null, enqueued_by: null })
    .execute();
  await tell(tx, by, { kind: 'mail', subject: first.id, what: 'prepared' }, now);
  return readAgentMail(tx, first.id);
}

/** Queues a prepared letter, once. Throws a Refusal for another digest: then somebody has not read what would be sent. */
export async function enqueueAgentMail(
  tx: Transaction<SiteTables>,
  by: string,
  { id, digest }: { readonly id: string; readonly digest: string },
  now: number,
): Promise<AgentMailBrief> {
  const held = await tx
    .selectFrom('agent_mail')
    .select(['addressee as to', 'subject', 'text', 'digest', 'enqueued_at'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!held) throw noMail();
  const { enqueued_at, digest: expected, ...letter } = held;
  if (!timingSafeEqual(expected, Buffer.from(digest, 'hex')))
    throw new Refusal(
      'conflict',
      'The digest is not that of the prepared letter. Read it by agent_mail_get.',
    );
  if (enqueued_at === null) {
    await tx
      .updateTable('agent_mail')
      .set({ enqueued_at: new Date(now), enqueued_by: by })
      .where('id', '=', id)
      .execute();
    await enqueueMail(tx, { lane: 'agents', key: agentMailKey(id), ...letter }, now);
    await tell(tx, by, { kind: 'mail', subject: id, what: 'queued' }, now);
  }
  return readAgentMail(tx, id);
}

/** One letter. Throws a Refusal where there is none with this id. */
export async function readAgentMail(db: Kysely<SiteTables>, id: string): Promise<AgentMail> {
  const { rows } = await sql<AgentMail>`select ${brief}, m.text from ${letters} where m.id = ${id}`.execute(
    db,
  );
  const [found] = rows;
  if (!found) throw noMail();
  return found;
}

/** Letters of all agents, the newest first. */
export function listAgentMail(
  db: Kysely<SiteTables>,
  asked: { readonly state?: AgentMailState | undefined },
  paging: Paging,
): Promise<Page<AgentMailBrief>> {
  const { state } = asked;
  return newestFirst(paging, 'agent mail', asked, async (limit, before) => {
    const { rows } = await sql<AgentMailBrief>`select ${brief} from ${letters} where true
      ${state === undefined ? sql`` : sql`and coalesce(l.state, 'prepared') = ${state}`}
      ${before === undefined ? sql`` : sql`and m.id < ${before}`}
      order by m.id desc limit ${limit}`.execute(db);
    return rows;
  });
}

function noMail(): Refusal {
  return new Refusal('not_found', 'There is no such mail. Find ids with agent_mail_list.');
}
