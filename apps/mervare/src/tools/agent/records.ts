import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { recordRun, recordVerification } from '../../agents/records.ts';
import { RUN_OUTCOMES, VERDICTS } from '../../agents/tables.ts';
import { actorId } from '../../audit/actor.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Id, IdempotencyKey, Text, Time, written } from '../shapes.ts';
import { control } from './shapes.ts';

const Outcome = z.enum(RUN_OUTCOMES);
const Verdict = z.enum(VERDICTS);
const SubjectKind = z.enum(['hypothesis', 'experiment', 'handoff', 'evidence']);

export const agentRunRecord = change('agent_run_record', {
  title: 'Record a run',
  says: 'Keeps for good what one run of yours was for and how it ended. Find it again by agent_event_list.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    goal: Text(2000),
    outcome: Outcome,
    summary: Text(8000),
    startedAt: Time,
    endedAt: Time,
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({
    id: Id,
    by: z.string(),
    goal: Untrusted,
    outcome: Outcome,
    summary: Untrusted,
    startedAt: Time,
    endedAt: Time,
  }),
  example: {
    goal: 'Check the tide tables',
    outcome: 'succeeded',
    summary: 'All 40 agree.',
    startedAt: '2026-05-04T08:00:00Z',
    endedAt: '2026-05-04T08:20:00Z',
  },
}).run(async ({ goal, outcome, summary, startedAt, endedAt }, { tx, caller, now }) => {
  const period = { startedAt: new Date(startedAt), endedAt: new Date(endedAt) };
  const run = await recordRun(tx, actorId(caller), { goal, outcome, summary, ...period }, now);
  return { answer: present(run, 'goal', 'summary'), ids: [run.id] };
});

export const agentVerificationRecord = change('agent_verification_record', {
  title: 'Record a verification',
  says: 'Keeps for good that you tested something that somebody else made, how, and what came of it. Ids come from the lists of hypotheses, experiments, handoffs and evidence.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    subjectKind: SubjectKind,
    subject: Id,
    verdict: Verdict,
    method: Text(4000),
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({
    ...written,
    subjectKind: SubjectKind,
    subject: Id,
    verdict: Verdict,
    method: Untrusted,
  }),
  example: {
    subjectKind: 'experiment',
    subject: '0198c5c8-2a00-7000-8000-000000000023',
    verdict: 'confirmed',
    method: 'Computed the figures again from the raw log.',
  },
}).run(async (said, { tx, caller, now }) => {
  const verification = await recordVerification(tx, actorId(caller), said, now);
  return { answer: present(verification, 'method'), ids: [verification.id, said.subject] };
});
