import { newId } from '@portolan/store';
import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { Member } from './member.ts';
import { visibleTo } from './member.ts';
import { requireRunning } from './security.ts';
import type { SiteTables } from '../tables.ts';

/** Something that a member should hear of: a comment where the member has spoken, or the decision on a proposal. */
export interface InboxItem {
  readonly id: string;
  readonly kind: 'comment' | 'decision';
  /** Id of the comment or of the action. */
  readonly subject: string;
  readonly resource: string;
  readonly by: string;
  readonly at: Date;
  readonly acknowledgedAt: Date | null;
}

/** What happened that others should hear of. */
interface News {
  readonly workspace: string;
  readonly resource: string;
  readonly kind: InboxItem['kind'];
  readonly subject: string;
}

/** Puts the news into the inboxes of the recipients, but not of whoever makes them. */
export async function inform(
  tx: Transaction<SiteTables>,
  { by }: Member,
  recipients: readonly string[],
  news: News,
  now: number,
): Promise<void> {
  const others = [...new Set(recipients)].filter((recipient) => recipient !== by);
  if (others.length === 0) return;
  await tx
    .insertInto('funding_inbox_item')
    .values(others.map((recipient) => ({ id: newId(now), ...news, recipient, by, at: new Date(now) })))
    .execute();
}

/** Everybody who has commented on, assessed or proposed something about a resource. */
export async function voicesOf(tx: Transaction<SiteTables>, resource: string): Promise<string[]> {
  const { rows } = await sql<{ by: string }>`
    select "by" from funding_comment where resource = ${resource}
    union select "by" from funding_assessment where resource = ${resource}
    union select "by" from funding_action where resource = ${resource}`.execute(tx);
  return rows.map(({ by }) => by);
}

/** The member's own inbox, the newest first. */
export function readInbox(
  db: Kysely<SiteTables>,
  member: Member,
  asked: { readonly includeAcknowledged: boolean },
  paging: Paging,
): Promise<Page<InboxItem>> {
  return newestFirst(paging, 'inbox', [member.by, asked], (limit, before) =>
    db
      .selectFrom('funding_inbox_item')
      .select(['id', 'kind', 'subject', 'resource', 'by', 'at', 'acknowledged_at as acknowledgedAt'])
      .where('recipient', '=', member.by)
      .where(visibleTo(member, 'workspace'))
      .$if(!asked.includeAcknowledged, (items) => items.where('acknowledged_at', 'is', null))
      .$if(before !== undefined, (items) => items.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
  );
}

/** Marks items of the member's own inbox as heard of; doing so again changes nothing. Throws a Refusal when one is not there. */
export async function acknowledge(
  tx: Transaction<SiteTables>,
  member: Member,
  ids: readonly string[],
  now: number,
): Promise<void> {
  await requireRunning(tx);
  const own = await tx
    .updateTable('funding_inbox_item')
    .set((item) => ({ acknowledged_at: item.fn.coalesce('acknowledged_at', sql<Date>`${new Date(now)}`) }))
    .where('id', 'in', [...ids])
    .where('recipient', '=', member.by)
    .where(visibleTo(member, 'workspace'))
    .returning('id')
    .execute();
  if (own.length < new Set(ids).size)
    throw new Refusal('not_found', 'Not all of these are in your inbox. Find ids with funding_inbox.');
}
