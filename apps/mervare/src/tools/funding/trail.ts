import { z } from 'zod';
import { changesSince } from '../../funding/changes.ts';
import { fundingTrail } from '../../funding/trail.ts';
import { tool } from '../../mcp/tool.ts';
import { present } from '../present.ts';
import { Cursor, Id, Limit, NextCursor, Time } from '../shapes.ts';
import { memberOf, opens } from './access.ts';
import { written } from './shapes.ts';

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
    writes: z.array(
      z.object({
        at: Time,
        credential: z.string(),
        who: z.string(),
        tool: z.string(),
        ids: z.array(z.string()),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: { about: '0198c5c8-2a00-7000-8000-000000000002' },
}).run(async ({ about, ...paging }, { deps }) => {
  const { rows, ...page } = await fundingTrail(deps.db, { about }, paging);
  return {
    writes: rows.map(({ at, credential, who, tool: name, ids }) =>
      present({ at, credential, who, tool: name, ids }),
    ),
    ...page,
  };
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
