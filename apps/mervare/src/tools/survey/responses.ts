import { needs, Untrusted, untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { auditTrail } from '../../audit/trail.ts';
import { tool } from '../../mcp/tool.ts';
import { listResponses, type Answer, type SurveyResponse } from '../../survey/responses.ts';
import { AuditedWriteShown } from '../audited-write.ts';
import { present } from '../present.ts';
import { Cursor, Id, Limit, NextCursor, Time, Whole } from '../shapes.ts';
import { EditionNumber, SurveyId } from './shapes.ts';

export const surveyResponses = tool('survey_responses', {
  title: 'Read survey answers',
  says: 'The answers to a survey, the newest first, each by itself and without a trace of who gave it: choices as option ids, numbers as numbers, words and dates as text. survey_get shows the questions. For figures use survey_analysis.',
  access: needs('analyst'),
  effect: 'reads',
  input: z.strictObject({
    surveyId: SurveyId,
    edition: EditionNumber.optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({
    responses: z.array(
      z.object({
        id: Id,
        edition: Whole,
        at: Time,
        answers: z.array(
          z.object({
            question: z.string(),
            choices: z.array(z.string()).optional(),
            number: z.number().optional(),
            text: Untrusted.optional(),
          }),
        ),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031' },
}).run(async ({ surveyId: survey, edition, ...paging }, { deps }) => {
  const { rows, ...page } = await listResponses(deps.db, { survey, edition }, paging);
  return { responses: rows.map(show), ...page };
});

function show({ answers, ...response }: SurveyResponse) {
  return { ...present(response), answers: answers.map(showAnswer) };
}

function showAnswer({ question, type, answer }: Answer) {
  if (typeof answer === 'number') return { question, number: answer };
  if (typeof answer !== 'string') return { question, choices: [...answer] };
  return type === 'single' ? { question, choices: [answer] } : { question, text: untrusted(answer) };
}

export const surveyAudit = tool('survey_audit', {
  title: 'Read the audit trail of a survey',
  says: 'Who changed what about a survey, the latest first: with which kind of credential, by which tool, about which ids.',
  access: needs('analyst', 'publisher'),
  effect: 'reads',
  input: z.strictObject({ surveyId: SurveyId.optional(), limit: Limit, cursor: Cursor }),
  output: z.object({ writes: z.array(AuditedWriteShown), nextCursor: NextCursor }),
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031' },
}).run(async ({ surveyId: about, ...paging }, { deps }) => {
  const { rows, ...page } = await auditTrail(deps.db, { prefix: 'survey_', about }, paging);
  return { writes: rows.map((row) => present(row)), ...page };
});
