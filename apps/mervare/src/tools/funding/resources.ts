import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { correctionsOf } from '../../funding/corrections.ts';
import { createResource, listResources, readResource } from '../../funding/resources.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Cursor, IdempotencyKey, Limit, NextCursor, written } from '../shapes.ts';
import { memberOf, opens } from './access.ts';
import { FIELDS, facts } from './facts.ts';
import { Kind, ResourceId, ResourceShown, showResource, Status, WorkspaceId } from './shapes.ts';

/** As many as `funding_resource_get` shows. */
const CORRECTIONS = 20;

export const fundingResourceList = tool('funding_resource_list', {
  title: 'List funding resources',
  says: 'What may fund the company, in one workspace, the newest first: grants, loans, equity, programmes.',
  access: opens('funding_resource_list'),
  effect: 'reads',
  input: z.strictObject({
    workspaceId: WorkspaceId,
    status: Status.optional(),
    kind: Kind.optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ resources: z.array(ResourceShown), nextCursor: NextCursor }),
  example: { workspaceId: '0198c5c8-2a00-7000-8000-000000000001', status: 'reviewing' },
}).run(async ({ limit, cursor, workspaceId, ...asked }, { deps, caller }) => {
  const which = { workspace: workspaceId, ...asked };
  const { rows, ...page } = await listResources(deps.db, memberOf(caller), which, { limit, cursor });
  return { resources: rows.map(showResource), ...page };
});

export const fundingResourceGet = tool('funding_resource_get', {
  title: 'Read a funding resource',
  says: `One resource whole, with its latest ${CORRECTIONS} corrections: what it said before and why that was wrong.`,
  access: opens('funding_resource_get'),
  effect: 'reads',
  input: z.strictObject({ resourceId: ResourceId }),
  output: ResourceShown.extend({
    corrections: z.array(
      z.object({
        ...written,
        field: z.enum(FIELDS),
        before: Untrusted.optional(),
        after: Untrusted.optional(),
        why: Untrusted,
      }),
    ),
  }),
  example: { resourceId: '0198c5c8-2a00-7000-8000-000000000002' },
}).run(async ({ resourceId }, { deps, caller }) => {
  const resource = await readResource(deps.db, memberOf(caller), resourceId);
  const corrections = await correctionsOf(deps.db, resourceId, CORRECTIONS);
  return {
    ...showResource(resource),
    corrections: corrections.map(({ oldValue, newValue, ...row }) =>
      present({ ...row, before: oldValue, after: newValue }, 'before', 'after', 'why'),
    ),
  };
});

export const fundingResourceCreate = change('funding_resource_create', {
  title: 'Add a funding resource',
  says: 'Adds a resource to a workspace with the status new. Its facts change later by funding_resource_correct only.',
  access: opens('funding_resource_create'),
  effect: 'writes',
  input: z.strictObject({
    workspaceId: WorkspaceId,
    kind: facts.kind,
    name: facts.name,
    url: facts.url.optional(),
    summary: facts.summary.optional(),
    amountEur: facts.amountEur.optional().describe('Whole euros'),
    deadline: facts.deadline.optional(),
    idempotencyKey: IdempotencyKey,
  }),
  output: ResourceShown,
  example: {
    workspaceId: '0198c5c8-2a00-7000-8000-000000000001',
    kind: 'grant',
    name: 'Clean harbours 2027',
    amountEur: 250_000,
    deadline: '2027-02-28',
  },
}).run(async ({ workspaceId, kind, name, ...given }, { tx, caller, now }) => {
  const { url = null, summary = null, amountEur = null, deadline = null } = given;
  const stated = { kind, name, url, summary, amountEur, deadline };
  const wanted = { workspace: workspaceId, facts: stated };
  const resource = await createResource(tx, memberOf(caller), wanted, now);
  return { answer: showResource(resource), ids: [resource.id, workspaceId] };
});
