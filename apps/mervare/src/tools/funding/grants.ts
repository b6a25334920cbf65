import { z } from 'zod';
import { createGrant, listGrants, revokeGrant } from '../../funding/grants.ts';
import { GRANT_ROLES } from '../../funding/roles.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { confirmed, Cursor, Email, Id, Limit, NextCursor, Time, written } from '../shapes.ts';
import { memberOf, opens } from './access.ts';
import { WorkspaceId } from './shapes.ts';

const GrantShown = z.object({
  ...written,
  workspace: Id,
  role: z.enum(GRANT_ROLES),
  name: z.string(),
  email: z.string().optional(),
  revokedBy: z.string().optional(),
  revokedAt: Time.optional(),
});

export const fundingCollaboratorGrantList = tool('funding_collaborator_grant_list', {
  title: 'List grants of a funding workspace',
  says: 'Who has access to one workspace and as what, the newest first. Secrets are never shown.',
  access: opens('funding_collaborator_grant_list'),
  effect: 'reads',
  input: z.strictObject({
    workspaceId: WorkspaceId,
    includeRevoked: z.boolean().default(false),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ grants: z.array(GrantShown), nextCursor: NextCursor }),
  example: { workspaceId: '0198c5c8-2a00-7000-8000-000000000001' },
}).run(async ({ workspaceId, includeRevoked, ...paging }, { deps, caller }) => {
  const asked = { workspace: workspaceId, includeRevoked };
  const { rows, ...page } = await listGrants(deps.db, memberOf(caller), asked, paging);
  return { grants: rows.map((row) => present(row)), ...page };
});

export const fundingCollaboratorGrantCreate = change('funding_collaborator_grant_create', {
  title: 'Grant access to a funding workspace',
  says: 'Gives access to one workspace: to the person with this e-mail, or without one to whoever presents the secret, which is in this answer only. If the answer is lost, revoke the grant and create one with another name.',
  access: opens('funding_collaborator_grant_create'),
  effect: 'writes',
  input: z.strictObject({
    workspaceId: WorkspaceId,
    role: z
      .enum(GRANT_ROLES)
      .describe('service reads; agent also comments and proposes; collaborator also assesses'),
    name: z
      .string()
      .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/)
      .describe('New; never used twice'),
    email: Email.optional().describe('Of a person with an account'),
  }),
  output: GrantShown.extend({ secret: z.string().optional().describe('Bearer token; keep it now') }),
  example: { workspaceId: '0198c5c8-2a00-7000-8000-000000000001', role: 'agent', name: 'scout' },
  meta: confirmed,
}).run(async ({ workspaceId, ...wanted }, { tx, caller, now }) => {
  const grant = await createGrant(tx, memberOf(caller), { workspace: workspaceId, ...wanted }, now);
  return { answer: present(grant), ids: [grant.id, workspaceId] };
});

export const fundingCollaboratorGrantRevoke = change('funding_collaborator_grant_revoke', {
  title: 'Revoke a grant of a funding workspace',
  says: 'Ends a grant: its next call is refused. Find ids with funding_collaborator_grant_list.',
  access: opens('funding_collaborator_grant_revoke'),
  effect: 'destroys',
  idempotent: true,
  input: z.strictObject({ grantId: Id }),
  output: GrantShown,
  example: { grantId: '0198c5c8-2a00-7000-8000-000000000004' },
  meta: confirmed,
}).run(async ({ grantId }, { tx, caller, now }) => {
  const grant = await revokeGrant(tx, memberOf(caller), grantId, now);
  return { answer: present(grant), ids: [grantId, grant.workspace] };
});
