import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { addComment, listComments } from '../../funding/comments.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Cursor, IdempotencyKey, Limit, NextCursor, Text, written } from '../shapes.ts';
import { memberOf, opens } from './access.ts';
import { ResourceId } from './shapes.ts';

const CommentShown = z.object({ ...written, resource: ResourceId, text: Untrusted });

export const fundingCommentList = tool('funding_comment_list', {
  title: 'List comments on a funding resource',
  says: 'What people and agents have said about one resource, the newest first.',
  access: opens('funding_comment_list'),
  effect: 'reads',
  input: z.strictObject({ resourceId: ResourceId, limit: Limit, cursor: Cursor }),
  output: z.object({ comments: z.array(CommentShown), nextCursor: NextCursor }),
  example: { resourceId: '0198c5c8-2a00-7000-8000-000000000002' },
}).run(async ({ resourceId, ...paging }, { deps, caller }) => {
  const { rows, ...page } = await listComments(deps.db, memberOf(caller), resourceId, paging);
  return { comments: rows.map((row) => present(row, 'text')), ...page };
});

export const fundingCommentAdd = change('funding_comment_add', {
  title: 'Comment on a funding resource',
  says: 'Adds a comment that stays as it is. Whoever has spoken about the resource finds it in funding_inbox.',
  access: opens('funding_comment_add'),
  effect: 'writes',
  input: z.strictObject({ resourceId: ResourceId, text: Text(8000), idempotencyKey: IdempotencyKey }),
  output: CommentShown,
  example: { resourceId: '0198c5c8-2a00-7000-8000-000000000002', text: 'The call asks for two partners.' },
}).run(async ({ resourceId, text }, { tx, caller, now }) => {
  const comment = await addComment(tx, memberOf(caller), { resource: resourceId, text }, now);
  return { answer: present(comment, 'text'), ids: [comment.id, resourceId] };
});
