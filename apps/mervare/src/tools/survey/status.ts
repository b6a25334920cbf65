import { needs } from '@portolan/mcp/tool';
import { z } from 'zod';
import { tool } from '../../mcp/tool.ts';
import { surveyStatus as statusOf } from '../../survey/status.ts';
import { present } from '../present.ts';
import { Count, Time } from '../shapes.ts';
import { EditionNumber, State, SurveyId } from './shapes.ts';

export const surveyStatus = tool('survey_status', {
  title: 'See how a survey is doing',
  says: 'Counts of invitations and responses, the response rate and the last activity: of one edition, or of all together with the state of the latest.',
  access: needs('author', 'publisher', 'analyst', 'reader'),
  effect: 'reads',
  input: z.strictObject({ surveyId: SurveyId, edition: EditionNumber.optional() }),
  output: z.object({
    state: State,
    invitations: Count,
    opened: Count,
    answered: Count,
    revoked: Count,
    expired: Count,
    responses: Count,
    responseRate: z.number().optional().describe('Answered of those not revoked, 0 to 1'),
    lastResponseAt: Time.optional(),
    lastActivityAt: Time,
  }),
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031' },
}).run(async ({ surveyId: survey, edition }, { deps }) =>
  present(await statusOf(deps.db, { survey, edition }, deps.now())),
);
