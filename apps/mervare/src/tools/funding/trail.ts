import { z } from 'zod';
import { auditTrail } from '../../audit/trail.ts';
import { changesSince } from '../../funding/changes.ts';
import { tool } from '../../mcp/tool.ts';
import { AuditedWriteShown } from '../audited-write.ts';
import { present } from '../present.ts';
import { Cursor, Id, Limit, NextCursor, written } from '../shapes.ts';
import { memberOf, opens } from './access.ts';

export const fundingAuditList = tool('funding_audit_list', {
  title: 'Read the audit trail of funding',
  says: 'Every write to the funding workspaces, the latest first: who, with which kind of credential, by which tool, about which ids.',
  access: opens('funding_audit_list'),
  effect: 'reads',
  input: z.strictObject({
    about: Id.optional().describe('Id of anything a funding tool gave'),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({
    writes: z.array(AuditedWriteShown),
    nextCursor: NextCursor,
  }),
  example: { about: '0198c5c8-2a00-7000-8000-000000000002' },
}).run(async ({ about, ...paging }, { deps }) => {
  const { rows, ...page } = await auditTrail(deps.db, { prefix: 'funding_', about }, paging);
  return { writes: rows.map((row) => present(row)), ...page };
});

export const fundingChangesSince = tool('funding_changes_since', {
  title: 'Follow the funding workspaces',
  says: 'What has happened in your workspaces since a cursor, the oldest first, with nothing left out or told twice. Without a cursor from the beginning; keep the cursor for the next call.',
  access: opens('funding_changes_since'),
  effect: 'reads',
  input: z.strictObject({ limit: Limit, cursor: Cursor.describe('cursor of the answer before') }),
  output: z.object({
    changes: z.array(
      z.object({
        ...written,
        workspace: Id.optional(),
        kind: z.string(),
        subject: Id.optional(),
        what: z.string(),
      }),
    ),
    cursor: z.string().optional(),
  }),
  example: {},
}).run(async (paging, { deps, caller }) => {
  const { changes, cursor } = await changesSince(deps.db, memberOf(caller), paging);
  return { changes: changes.map((row) => present(row)), cursor };
});
