import { z } from 'zod';
import { claimHandoff, completeHandoff } from '../../agents/claims.ts';
import { actorId } from '../../audit/actor.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { ExpectedVersion, Id, IdempotencyKey, Text } from '../shapes.ts';
import { addressees, HandoffShown } from './shapes.ts';

export const agentHandoffClaim = change('agent_handoff_claim', {
  title: 'Claim a handoff',
  says: 'Gives you a handoff that is addressed to you, until the lease ends: the one that you name, else the oldest open one; none where nothing waits for you. Keep its version for agent_handoff_complete.',
  access: addressees,
  effect: 'writes',
  input: z.strictObject({
    handoffId: Id.optional(),
    leaseSeconds: z.int().min(60).max(86_400).default(900),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({ handoff: HandoffShown.optional() }),
  example: {},
}).run(async ({ handoffId, leaseSeconds }, { tx, caller, now }) => {
  const wanted = { id: handoffId, leaseMs: leaseSeconds * 1000 };
  const handoff = await claimHandoff(tx, actorId(caller), wanted, now);
  if (!handoff) return { answer: {}, ids: [] };
  return { answer: { handoff: present(handoff, 'title', 'body', 'result') }, ids: [handoff.id] };
});

export const agentHandoffComplete = change('agent_handoff_complete', {
  title: 'Complete a handoff',
  says: 'Ends a handoff that you have claimed by agent_handoff_claim: done, or blocked where you cannot go on. Refused when the lease ended and it was claimed anew.',
  access: addressees,
  effect: 'writes',
  input: z.strictObject({
    handoffId: Id,
    outcome: z.enum(['done', 'blocked']),
    result: Text(20_000).describe('What came of it, or what blocks it'),
    expectedVersion: ExpectedVersion.describe('version of your claim'),
    idempotencyKey: IdempotencyKey,
  }),
  output: HandoffShown,
  example: {
    handoffId: '0198c5c8-2a00-7000-8000-000000000021',
    outcome: 'done',
    result: 'Median 41 ms.',
    expectedVersion: 2,
  },
}).run(async ({ handoffId, outcome, result, expectedVersion }, { tx, caller, now }) => {
  const said = { id: handoffId, outcome, result, expectedVersion };
  const handoff = await completeHandoff(tx, actorId(caller), said, now);
  return { answer: present(handoff, 'title', 'body', 'result'), ids: [handoffId] };
});
