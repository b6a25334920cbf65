import { needs } from '@portolan/mcp/tool';
import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { cloneEdition, createSurvey, updateDraft } from '../../survey/drafts.ts';
import { readEdition } from '../../survey/editions.ts';
import { faultsOf } from '../../survey/faults.ts';
import type { SurveyText } from '../../survey/question.ts';
import { change } from '../change.ts';
import { ExpectedVersion, IdempotencyKey } from '../shapes.ts';
import {
  EditionNumber,
  EditionShown,
  FaultsShown,
  showEdition,
  showFaults,
  StateShown,
  showState,
  SurveyId,
  textGiven,
} from './shapes.ts';

export const surveyCreateDraft = change('survey_create_draft', {
  title: 'Begin a survey',
  says: 'Begins a survey with its first draft. It may have faults until it is published: survey_validate names them all.',
  access: needs('author'),
  effect: 'writes',
  input: z.strictObject({
    ...textGiven,
    intro: textGiven.intro.default(null),
    questions: textGiven.questions.default([]),
    idempotencyKey: IdempotencyKey,
  }),
  output: StateShown,
  example: {
    title: 'Berths in 2026',
    language: 'en',
    questions: [{ id: 'berths', type: 'number', label: 'How many guest berths do you have?', min: 0 }],
  },
}).run(async (text, { tx, caller, now }) => {
  const draft = await createSurvey(tx, actorId(caller), text, now);
  return { answer: showState(draft), ids: [draft.survey] };
});

export const surveyUpdateDraft = change('survey_update_draft', {
  title: 'Change a draft',
  says: 'Changes what you give of a draft; questions replace all questions. Never changes what was published: survey_clone_version makes a new draft. A conflict says the current version.',
  access: needs('author'),
  effect: 'writes',
  input: z.strictObject({
    surveyId: SurveyId,
    edition: EditionNumber,
    expectedVersion: ExpectedVersion,
    title: textGiven.title.optional(),
    intro: textGiven.intro.optional(),
    language: textGiven.language.optional(),
    questions: textGiven.questions.optional(),
    idempotencyKey: IdempotencyKey,
  }),
  output: StateShown,
  example: {
    surveyId: '0198c5c8-2a00-7000-8000-000000000031',
    edition: 1,
    expectedVersion: 1,
    title: 'Guest berths in 2026',
  },
}).run(async ({ surveyId: survey, edition, expectedVersion, ...given }, { tx, now }) => {
  const text = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== undefined),
  ) as Partial<SurveyText>;
  const draft = await updateDraft(tx, { survey, edition }, { expectedVersion, text }, now);
  return { answer: showState(draft), ids: [survey] };
});

export const surveyValidate = tool('survey_validate', {
  title: 'Find the faults of a survey',
  says: 'Every fault of an edition at once, each with a JSON pointer into what survey_get shows. A draft with faults cannot be published.',
  access: needs('author', 'publisher'),
  effect: 'reads',
  input: z.strictObject({ surveyId: SurveyId, edition: EditionNumber }),
  output: FaultsShown,
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031', edition: 1 },
}).run(async ({ surveyId: survey, edition }, { deps }) => {
  return showFaults(faultsOf(await readEdition(deps.db, { survey, edition })));
});

export const surveyCloneVersion = change('survey_clone_version', {
  title: 'Make a new draft of a survey',
  says: 'Makes the next edition of a survey, a draft with the text of the edition that you name. Answers keep belonging to theirs. Refused while the survey has a draft.',
  access: needs('author'),
  effect: 'writes',
  input: z.strictObject({ surveyId: SurveyId, edition: EditionNumber, idempotencyKey: IdempotencyKey }),
  output: EditionShown,
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031', edition: 1 },
}).run(async ({ surveyId: survey, edition }, { tx, caller, now }) => {
  const draft = await cloneEdition(tx, actorId(caller), { survey, edition }, now);
  return { answer: showEdition(draft), ids: [survey] };
});
