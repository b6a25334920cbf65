import { z } from 'zod';
import { createWorkspace, listWorkspaces, readWorkspace } from '../../funding/workspaces.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Count, Cursor, IdempotencyKey, Limit, NextCursor, Text } from '../shapes.ts';
import { memberOf, opens } from './access.ts';
import { WorkspaceId, WorkspaceShown } from './shapes.ts';

export const fundingWorkspaceList = tool('funding_workspace_list', {
  title: 'List funding workspaces',
  says: 'The funding workspaces that you may work in, the newest first. Gives the ids that the other funding tools take.',
  access: opens('funding_workspace_list'),
  effect: 'reads',
  input: z.strictObject({ limit: Limit, cursor: Cursor }),
  output: z.object({ workspaces: z.array(WorkspaceShown), nextCursor: NextCursor }),
  example: {},
}).run(async (paging, { deps, caller }) => {
  const { rows, ...page } = await listWorkspaces(deps.db, memberOf(caller), paging);
  return { workspaces: rows.map((row) => present(row, 'name', 'purpose')), ...page };
});

export const fundingWorkspaceGet = tool('funding_workspace_get', {
  title: 'Read a funding workspace',
  says: 'One funding workspace, with how many resources, comments, assessments and undecided actions it holds.',
  access: opens('funding_workspace_get'),
  effect: 'reads',
  input: z.strictObject({ workspaceId: WorkspaceId }),
  output: WorkspaceShown.extend({
    resources: Count,
    comments: Count,
    assessments: Count,
    openActions: Count,
  }),
  example: { workspaceId: '0198c5c8-2a00-7000-8000-000000000001' },
}).run(async ({ workspaceId }, { deps, caller }) =>
  present(await readWorkspace(deps.db, memberOf(caller), workspaceId), 'name', 'purpose'),
);

export const fundingWorkspaceCreate = change('funding_workspace_create', {
  title: 'Open a funding workspace',
  says: 'Opens an empty workspace. Others see it once they have a grant by funding_collaborator_grant_create.',
  access: opens('funding_workspace_create'),
  effect: 'writes',
  input: z.strictObject({ name: Text(200), purpose: Text(4000), idempotencyKey: IdempotencyKey }),
  output: WorkspaceShown,
  example: { name: 'Harbour electrification', purpose: 'Shore power in small harbours' },
}).run(async ({ name, purpose }, { tx, caller, now }) => {
  const workspace = await createWorkspace(tx, memberOf(caller), { name, purpose }, now);
  return { answer: present(workspace, 'name', 'purpose'), ids: [workspace.id] };
});
