import { needs } from '@portolan/mcp/tool';
import { z } from 'zod';
import { move, type Transition } from '../../survey/transitions.ts';
import { change, type Change } from '../change.ts';
import { confirmed, ExpectedVersion, IdempotencyKey } from '../shapes.ts';
import { EditionNumber, showState, StateShown, SurveyId } from './shapes.ts';

const access = needs('publisher');

const Moved = z.strictObject({
  surveyId: SurveyId,
  edition: EditionNumber,
  expectedVersion: ExpectedVersion,
  idempotencyKey: IdempotencyKey,
});

const example = { surveyId: '0198c5c8-2a00-7000-8000-000000000031', edition: 1, expectedVersion: 1 };

/** The handler of a tool that moves an edition. */
function moving(transition: Transition) {
  return async (
    { surveyId: survey, edition, expectedVersion }: z.output<typeof Moved>,
    { tx, now }: Change,
  ) => {
    const moved = await move(tx, { survey, edition }, { transition, expectedVersion }, now);
    return { answer: showState(moved), ids: [survey] };
  };
}

export const surveyPublish = change('survey_publish', {
  title: 'Publish a survey',
  says: 'Opens a draft to respondents; from then on its text stays as it is. Refused with all faults where it has some, and while another edition is open.',
  access,
  effect: 'writes',
  input: Moved,
  output: StateShown,
  example,
  meta: confirmed,
}).run(moving('publish'));

export const surveyPause = change('survey_pause', {
  title: 'Pause a survey',
  says: 'Takes no answers to a published edition until survey_resume.',
  access,
  effect: 'writes',
  input: Moved,
  output: StateShown,
  example: { ...example, expectedVersion: 2 },
}).run(moving('pause'));

export const surveyResume = change('survey_resume', {
  title: 'Resume a survey',
  says: 'Opens a paused edition to respondents again.',
  access,
  effect: 'writes',
  input: Moved,
  output: StateShown,
  example: { ...example, expectedVersion: 3 },
  meta: confirmed,
}).run(moving('resume'));

export const surveyClose = change('survey_close', {
  title: 'Close a survey',
  says: 'Ends a paused edition for good: it takes no answers any more, and what was answered stays. Pause a published one first.',
  access,
  effect: 'destroys',
  input: Moved,
  output: StateShown,
  example: { ...example, expectedVersion: 3 },
  meta: confirmed,
}).run(moving('close'));
