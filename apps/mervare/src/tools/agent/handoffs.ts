import { z } from 'zod';
import { blockHandoff, createHandoff, listHandoffs } from '../../agents/handoffs.ts';
import { HANDOFF_STATES } from '../../agents/tables.ts';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Cursor, Id, IdempotencyKey, Limit, NextCursor, Text } from '../shapes.ts';
import { Addressee, control, GroundedHandoffShown, HandoffShown, HypothesisId } from './shapes.ts';

export const agentHandoffCreate = change('agent_handoff_create', {
  title: 'Hand something over',
  says: 'Hands work to one agent or person, who claims it by agent_handoff_claim. It never becomes a builder task by itself. The addressee sees title and body; what it rests on only with the control scope.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    to: Addressee,
    title: Text(200),
    body: Text(20_000),
    hypothesisId: HypothesisId.optional(),
    evidenceIds: z.array(Id).max(50).default([]).describe('From agent_evidence_list'),
    idempotencyKey: IdempotencyKey,
  }),
  output: GroundedHandoffShown,
  example: { to: 'builder_token:ci', title: 'Measure the page', body: 'Time to first byte, ten runs.' },
}).run(async (wanted, { tx, caller, now }) => {
  const handoff = await createHandoff(tx, actorId(caller), wanted, now);
  return { answer: present(handoff, 'title', 'body', 'result'), ids: [handoff.id] };
});

export const agentHandoffList = tool('agent_handoff_list', {
  title: 'List handoffs',
  says: 'What agents have handed to each other, the newest first, with the ids of what each rests on.',
  access: control,
  effect: 'reads',
  input: z.strictObject({
    state: z.enum(HANDOFF_STATES).optional(),
    to: Addressee.optional(),
    by: Text(300).optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ handoffs: z.array(GroundedHandoffShown), nextCursor: NextCursor }),
  example: { state: 'open' },
}).run(async ({ limit, cursor, ...asked }, { deps }) => {
  const { rows, ...page } = await listHandoffs(deps.db, asked, { limit, cursor });
  return { handoffs: rows.map((row) => present(row, 'title', 'body', 'result')), ...page };
});

export const agentHandoffBlock = change('agent_handoff_block', {
  title: 'Block a handoff',
  says: 'Says for good that a handoff cannot go on, and why. For whoever made it and whoever it is addressed to. Find ids with agent_handoff_list.',
  access: control,
  effect: 'writes',
  input: z.strictObject({ handoffId: Id, reason: Text(20_000), idempotencyKey: IdempotencyKey }),
  output: HandoffShown,
  example: { handoffId: '0198c5c8-2a00-7000-8000-000000000021', reason: 'The server is not reachable.' },
}).run(async ({ handoffId, reason }, { tx, caller, now }) => {
  const handoff = await blockHandoff(tx, actorId(caller), { id: handoffId, reason }, now);
  return { answer: present(handoff, 'title', 'body', 'result'), ids: [handoffId] };
});
