import { needs, Untrusted, untrusted, type Caller } from '@portolan/mcp/tool';
import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { analyse, type Analysis } from '../../survey/analysis.ts';
import { keepAnalysis, listArtifacts, readArtifact, type Sight } from '../../survey/artifacts.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Count, Cursor, Id, IdempotencyKey, Limit, NextCursor, Text, Time, Whole } from '../shapes.ts';
import { EditionNumber, SurveyId, Type } from './shapes.ts';

const Tallies = z.array(z.object({ value: z.string(), count: Count }));

const AnalysisShown = z.object({
  edition: Whole,
  responses: Count,
  highWater: Id.optional().describe('The last response that is counted'),
  questions: z.array(
    z.object({
      question: z.string(),
      type: Type,
      answered: Count,
      counts: Tallies.optional(),
      mean: z.number().optional(),
      median: z.number().optional(),
      spread: z.number().optional().describe('Standard deviation'),
      crossTab: z.array(z.object({ by: z.string(), counts: Tallies })).optional(),
      openAnswers: z.array(Untrusted).optional(),
    }),
  ),
});

function show({ questions, ...analysis }: Analysis) {
  return {
    ...present(analysis),
    questions: questions.map(({ openAnswers, ...figures }) => ({
      ...figures,
      ...(openAnswers && { openAnswers: openAnswers.map(untrusted) }),
    })),
  };
}

const asked = {
  surveyId: SurveyId,
  edition: EditionNumber,
  by: z
    .string()
    .max(60)
    .optional()
    .describe('Id of a single, multiple or scale question to cross-tabulate by'),
  openAnswers: z.int().min(0).max(50).default(10).describe('Latest words shown for each text question'),
};

export const surveyAnalysis = tool('survey_analysis', {
  title: 'Analyse survey answers',
  says: 'Figures of every question of an edition, all of the same responses: counts, mean, median, spread, a cross-tabulation by one question, and the latest open answers.',
  access: needs('analyst'),
  effect: 'reads',
  input: z.strictObject(asked),
  output: AnalysisShown,
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031', edition: 1, by: 'region' },
}).run(async ({ surveyId: survey, edition, ...wanted }, { deps }) =>
  show(await analyse(deps.db, { survey, edition }, wanted)),
);

const ArtifactShown = z.object({
  id: Id,
  survey: Id,
  edition: Whole,
  title: Untrusted,
  hasOpenAnswers: z.boolean(),
  responses: Count,
  highWater: Id.optional(),
  by: z.string(),
  at: Time,
});

export const surveySaveAnalysis = change('survey_save_analysis', {
  title: 'Keep an analysis',
  says: 'Computes the figures of survey_analysis now and keeps them, with the last response that they count. Readers see it only when it holds no open answers: give openAnswers 0 for a report.',
  access: needs('analyst'),
  effect: 'writes',
  input: z.strictObject({ ...asked, title: Text(200), idempotencyKey: IdempotencyKey }),
  output: ArtifactShown,
  example: {
    surveyId: '0198c5c8-2a00-7000-8000-000000000031',
    edition: 1,
    title: 'Berths, first half of May',
    openAnswers: 0,
  },
}).run(async ({ surveyId: survey, edition, title, ...wanted }, { tx, caller, now }) => {
  const analysis = await analyse(tx, { survey, edition }, wanted);
  const artifact = await keepAnalysis(tx, actorId(caller), { survey, title, analysis }, now);
  return { answer: present(artifact, 'title'), ids: [artifact.id, survey] };
});

export const surveyArtifacts = tool('survey_artifacts', {
  title: 'Read kept analyses',
  says: 'The kept analyses of a survey, the newest first, and with artifactId one of them whole. Analysts see all; readers see those without open answers.',
  access: needs('analyst', 'reader'),
  effect: 'reads',
  input: z.strictObject({
    surveyId: SurveyId,
    artifactId: Id.optional(),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({
    artifacts: z.array(ArtifactShown.extend({ analysis: AnalysisShown.optional() })),
    nextCursor: NextCursor,
  }),
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031' },
}).run(async ({ surveyId, artifactId, ...paging }, { deps, caller }) => {
  const sight = sightOf(caller);
  if (artifactId === undefined) {
    const { rows, ...page } = await listArtifacts(deps.db, surveyId, sight, paging);
    return { artifacts: rows.map((row) => present(row, 'title')), ...page };
  }
  const { content, ...artifact } = await readArtifact(deps.db, { id: artifactId, survey: surveyId }, sight);
  return { artifacts: [{ ...present(artifact, 'title'), analysis: show(content) }] };
});

function sightOf({ scopes }: Caller): Sight {
  return { openAnswersToo: scopes.includes('analyst') };
}
