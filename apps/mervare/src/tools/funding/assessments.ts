import { Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { addAssessment, listAssessments } from '../../funding/assessments.ts';
import { tool } from '../../mcp/tool.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Cursor, IdempotencyKey, Limit, NextCursor, Text, written } from '../shapes.ts';
import { memberOf, opens } from './access.ts';
import { ResourceId } from './shapes.ts';

const Score = z.int().min(1).max(5).describe('1 not for us, 5 must have');
const AssessmentShown = z.object({ ...written, resource: ResourceId, score: Score, text: Untrusted });

export const fundingAssessmentList = tool('funding_assessment_list', {
  title: 'List assessments of a funding resource',
  says: 'What people think of one resource, the newest first, and the mean of all scores.',
  access: opens('funding_assessment_list'),
  effect: 'reads',
  input: z.strictObject({ resourceId: ResourceId, limit: Limit, cursor: Cursor }),
  output: z.object({
    assessments: z.array(AssessmentShown),
    meanScore: z.number().optional(),
    nextCursor: NextCursor,
  }),
  example: { resourceId: '0198c5c8-2a00-7000-8000-000000000002' },
}).run(async ({ resourceId, ...paging }, { deps, caller }) => {
  const { rows, ...page } = await listAssessments(deps.db, memberOf(caller), resourceId, paging);
  return { ...present(page), assessments: rows.map((row) => present(row, 'text')) };
});

export const fundingAssessmentAdd = change('funding_assessment_add', {
  title: 'Assess a funding resource',
  says: 'Adds an assessment that stays as it is: who thinks otherwise later adds another one.',
  access: opens('funding_assessment_add'),
  effect: 'writes',
  input: z.strictObject({
    resourceId: ResourceId,
    score: Score,
    text: Text(8000),
    idempotencyKey: IdempotencyKey,
  }),
  output: AssessmentShown,
  example: {
    resourceId: '0198c5c8-2a00-7000-8000-000000000002',
    score: 4,
    text: 'Fits three of our harbours.',
  },
}).run(async ({ resourceId, score, text }, { tx, caller, now }) => {
  const said = { resource: resourceId, score, text };
  const assessment = await addAssessment(tx, memberOf(caller), said, now);
  return { answer: present(assessment, 'text'), ids: [assessment.id, resourceId] };
});
