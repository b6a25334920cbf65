import { needs, Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { editionsOf, readEdition } from '../../survey/editions.ts';
import { listSurveys } from '../../survey/list.ts';
import { tool } from '../../mcp/tool.ts';
import { present } from '../present.ts';
import { Count, Cursor, Id, Limit, NextCursor, Time, Version, Whole } from '../shapes.ts';
import { EditionNumber, EditionShown, showEdition, State, SurveyId } from './shapes.ts';

export const surveyList = tool('survey_list', {
  title: 'List surveys',
  says: 'Surveys, the newest first, each by its latest edition: a survey has editions, of which one at most is a draft and one is open. Gives the ids and edition numbers that the other survey tools take.',
  access: needs('author', 'publisher', 'analyst', 'reader'),
  effect: 'reads',
  input: z.strictObject({
    state: State.optional().describe('Of any of its editions'),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({
    surveys: z.array(
      z.object({
        id: Id,
        title: Untrusted,
        edition: Whole,
        state: State,
        version: Version,
        openEdition: Whole.optional().describe('The one that is published or paused'),
        responses: Count,
        lastResponseAt: Time.optional(),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: { state: 'published' },
}).run(async ({ state, ...paging }, { deps }) => {
  const { rows, ...page } = await listSurveys(deps.db, { state }, paging);
  return { surveys: rows.map((row) => present(row, 'title')), ...page };
});

export const surveyGet = tool('survey_get', {
  title: 'Read a survey',
  says: 'One edition of a survey whole, the latest unless you name one, and the numbers and states of all.',
  access: needs('author', 'publisher', 'analyst', 'reader'),
  effect: 'reads',
  input: z.strictObject({ surveyId: SurveyId, edition: EditionNumber.optional() }),
  output: EditionShown.extend({ editions: z.array(z.object({ edition: Whole, state: State })) }),
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031' },
}).run(async ({ surveyId: survey, edition }, { deps }) => ({
  ...showEdition(await readEdition(deps.db, { survey, edition })),
  editions: await editionsOf(deps.db, survey),
}));
