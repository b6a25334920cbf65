import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { decideAction, listActions, proposeAction, type Action } from '../../funding/actions.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import {
  confirmed,
  Cursor,
  Id,
  IdempotencyKey,
  Limit,
  NextCursor,
  OptionalUntrusted,
  Text,
  Time,
  written,
} from '../shapes.ts';
import { memberOf, opens } from './access.ts';
import { ResourceId, WorkspaceId } from './shapes.ts';

const Decision = z.enum(['approved', 'rejected']);
const ActionShown = z.object({
  ...written,
  workspace: Id,
  resource: Id,
  title: Untrusted,
  rationale: Untrusted,
  decision: Decision.optional(),
  reason: OptionalUntrusted,
  decidedBy: z.string().optional(),
  decidedAt: Time.optional(),
});

function show(action: Action) {
  return present(action, 'title', 'rationale', 'reason');
}

export const fundingActionList = tool('funding_action_list', {
  title: 'List proposed actions',
  says: 'What is proposed to be done in one workspace and how it was decided, the newest first.',
  access: opens('funding_action_list'),
  effect: 'reads',
  input: z.strictObject({
    workspaceId: WorkspaceId,
    resourceId: ResourceId.optional(),
    state: z.enum(['open', 'approved', 'rejected']).optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ actions: z.array(ActionShown), nextCursor: NextCursor }),
  example: { workspaceId: '0198c5c8-2a00-7000-8000-000000000001', state: 'open' },
}).run(async ({ workspaceId, resourceId, state, ...paging }, { deps, caller }) => {
  const asked = { workspace: workspaceId, resource: resourceId, state };
  const { rows, ...page } = await listActions(deps.db, memberOf(caller), asked, paging);
  return { actions: rows.map(show), ...page };
});

export const fundingActionPropose = change('funding_action_propose', {
  title: 'Propose an action',
  says: 'Proposes to do something about a resource. A super admin other than you decides it by funding_action_decide; you find the decision in funding_inbox.',
  access: opens('funding_action_propose'),
  effect: 'writes',
  input: z.strictObject({
    resourceId: ResourceId,
    title: Text(200),
    rationale: Text(8000),
    idempotencyKey: IdempotencyKey,
  }),
  output: ActionShown,
  example: {
    resourceId: '0198c5c8-2a00-7000-8000-000000000002',
    title: 'Apply with Haapsalu as partner',
    rationale: 'They meet the condition that we lack.',
  },
}).run(async ({ resourceId, title, rationale }, { tx, caller, now }) => {
  const said = { resource: resourceId, title, rationale };
  const action = await proposeAction(tx, memberOf(caller), said, now);
  return { answer: show(action), ids: [action.id, resourceId] };
});

export const fundingActionDecide = change('funding_action_decide', {
  title: 'Decide a proposed action',
  says: 'Approves or rejects a proposal of somebody else, for good. Find ids with funding_action_list.',
  access: opens('funding_action_decide'),
  effect: 'writes',
  input: z.strictObject({
    actionId: Id,
    decision: Decision,
    reason: Text(2000),
    idempotencyKey: IdempotencyKey,
  }),
  output: ActionShown,
  example: {
    actionId: '0198c5c8-2a00-7000-8000-000000000003',
    decision: 'approved',
    reason: 'We have the capacity in June.',
  },
  meta: confirmed,
}).run(async ({ actionId, decision, reason }, { tx, caller, now }) => {
  const action = await decideAction(tx, memberOf(caller), { id: actionId, decision, reason }, now);
  return { answer: show(action), ids: [action.id, action.resource] };
});
