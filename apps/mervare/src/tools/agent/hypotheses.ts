import { Refusal } from '@portolan/mcp/tool';
import { z } from 'zod';
import { listEvidence } from '../../agents/evidence.ts';
import { listHypotheses, readHypothesis, upsertHypothesis } from '../../agents/hypotheses.ts';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Cursor, ExpectedVersion, IdempotencyKey, Limit, NextCursor, Text } from '../shapes.ts';
import { EvidenceShown } from './evidence.ts';
import { control, HypothesisId, HypothesisShown, Status } from './shapes.ts';

/** As many pieces of evidence as `agent_hypothesis_get` shows on each side. */
const SHOWN = 10;

export const agentHypothesisList = tool('agent_hypothesis_list', {
  title: 'List hypotheses',
  says: 'What agents suppose, the newest first, with how much evidence speaks for and against each.',
  access: control,
  effect: 'reads',
  input: z.strictObject({ status: Status.optional(), limit: Limit, cursor: Cursor }),
  output: z.object({ hypotheses: z.array(HypothesisShown), nextCursor: NextCursor }),
  example: { status: 'open' },
}).run(async ({ status, ...paging }, { deps }) => {
  const { rows, ...page } = await listHypotheses(deps.db, { status }, paging);
  return { hypotheses: rows.map((row) => present(row, 'statement')), ...page };
});

export const agentHypothesisGet = tool('agent_hypothesis_get', {
  title: 'Read a hypothesis',
  says: `One hypothesis with the latest ${SHOWN} pieces of evidence on each side; agent_evidence_list gives all.`,
  access: control,
  effect: 'reads',
  input: z.strictObject({ hypothesisId: HypothesisId }),
  output: HypothesisShown.extend({ for: z.array(EvidenceShown), against: z.array(EvidenceShown) }),
  example: { hypothesisId: '0198c5c8-2a00-7000-8000-000000000022' },
}).run(async ({ hypothesisId }, { deps }) => {
  const hypothesis = await readHypothesis(deps.db, hypothesisId);
  const side = async (stance: 'for' | 'against') => {
    const { rows } = await listEvidence(deps.db, { hypothesisId, stance }, { limit: SHOWN });
    return rows.map((row) => present(row, 'source', 'content'));
  };
  return { ...present(hypothesis, 'statement'), for: await side('for'), against: await side('against') };
});

export const agentHypothesisUpsert = change('agent_hypothesis_upsert', {
  title: 'State a hypothesis',
  says: 'States a new hypothesis, or with hypothesisId and expectedVersion states anew the one that you read. A conflict says the current version.',
  access: control,
  effect: 'writes',
  input: z.strictObject({
    hypothesisId: HypothesisId.optional(),
    expectedVersion: ExpectedVersion.optional(),
    statement: Text(2000),
    status: Status.default('open'),
    confidence: z.number().min(0).max(1),
    idempotencyKey: IdempotencyKey,
  }),
  output: HypothesisShown,
  example: { statement: 'Shore power brings longer stays.', confidence: 0.6 },
}).run(async ({ hypothesisId, expectedVersion, statement, status, confidence }, { tx, caller, now }) => {
  if ((hypothesisId === undefined) !== (expectedVersion === undefined))
    throw new Refusal('invalid_input', 'hypothesisId and expectedVersion come together or not at all.');
  const known =
    hypothesisId === undefined || expectedVersion === undefined
      ? undefined
      : { id: hypothesisId, expectedVersion };
  const said = { statement, status, confidence };
  const hypothesis = await upsertHypothesis(tx, actorId(caller), { known, said }, now);
  return { answer: present(hypothesis, 'statement'), ids: [hypothesis.id] };
});
