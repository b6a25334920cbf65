import { z } from 'zod';
import { acknowledge, readInbox } from '../../funding/inbox.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Cursor, Id, Limit, NextCursor, Time, written } from '../shapes.ts';
import { memberOf, opens } from './access.ts';

export const fundingInbox = tool('funding_inbox', {
  title: 'Read your funding inbox',
  says: 'What you should hear of, the newest first: comments on resources that you have spoken about, and decisions on your proposals. Read the subject with funding_comment_list or funding_action_list.',
  access: opens('funding_inbox'),
  effect: 'reads',
  input: z.strictObject({
    includeAcknowledged: z.boolean().default(false),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({
    items: z.array(
      z.object({
        ...written,
        kind: z.enum(['comment', 'decision']),
        subject: Id,
        resource: Id,
        acknowledgedAt: Time.optional(),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: {},
}).run(async ({ includeAcknowledged, ...paging }, { deps, caller }) => {
  const { rows, ...page } = await readInbox(deps.db, memberOf(caller), { includeAcknowledged }, paging);
  return { items: rows.map((row) => present(row)), ...page };
});

export const fundingInboxAck = change('funding_inbox_ack', {
  title: 'Acknowledge inbox items',
  says: 'Takes items out of your funding inbox. Find ids with funding_inbox.',
  access: opens('funding_inbox_ack'),
  effect: 'writes',
  idempotent: true,
  input: z.strictObject({ ids: z.array(Id).min(1).max(100) }),
  output: z.object({ acknowledged: z.array(Id) }),
  example: { ids: ['0198c5c8-2a00-7000-8000-000000000005'] },
}).run(async ({ ids }, { tx, caller, now }) => {
  await acknowledge(tx, memberOf(caller), ids, now);
  return { answer: { acknowledged: ids }, ids };
});
