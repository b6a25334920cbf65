import { Refusal, Untrusted, untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import type { Edition } from '../../survey/editions.ts';
import type { Fault } from '../../survey/fault.ts';
import { QUESTION_TYPES, type Question, MOST_OPTIONS, MOST_QUESTIONS } from '../../survey/question.ts';
import { EDITION_STATES } from '../../survey/tables.ts';
import type { KnownVersion } from '../../survey/templates.ts';
import { isStorable, NOT_STORABLE } from '../../text/storable.ts';
import { present } from '../present.ts';
import { Id, OptionalUntrusted, Time, Version, Whole } from '../shapes.ts';

/** What the survey tools share. */
export const SurveyId = Id.describe('From survey_list');
export const EditionNumber = Whole.describe('From survey_list');
export const State = z.enum(EDITION_STATES);
export const Type = z.enum(QUESTION_TYPES);

export const TemplateId = Id.describe('From survey_invitation_template_list');
export const InvitationId = Id.describe('From survey_invitation_list');
export const ContextId = Id.describe('From survey_target_context_list');

export const ExpiresAt = Time.optional().describe('When the link ends');

/** A moment that may be left out. */
export function momentOf(time: string | undefined): Date | null {
  return time === undefined ? null : new Date(time);
}

/** Words of an author. An empty one is a fault that a validation names. */
export const Words = (most: number) => z.string().max(most).refine(isStorable, NOT_STORABLE);

const QuestionGiven = z.strictObject({
  id: Words(60).describe('Short name, such as berth_price'),
  type: Type,
  label: Words(500),
  help: Words(2000).optional(),
  required: z.boolean().default(false),
  options: z
    .array(z.strictObject({ id: Words(60), label: Words(500) }))
    .max(MOST_OPTIONS)
    .optional()
    .describe('Of single, multiple'),
  min: z.number().optional().describe('Of scale, number'),
  max: z.number().optional(),
  maxLength: Whole.optional().describe('Of text'),
});

/** What an author writes. */
export const textGiven = {
  title: Words(200),
  intro: Words(4000).min(1).nullable(),
  language: Words(35).describe('BCP 47, such as et'),
  questions: z.array(QuestionGiven).max(MOST_QUESTIONS),
};

const QuestionShown = z.object({
  id: z.string(),
  type: Type,
  label: Untrusted,
  help: OptionalUntrusted,
  required: z.boolean(),
  options: z.array(z.object({ id: z.string(), label: Untrusted })).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  maxLength: z.number().optional(),
});

export const EditionShown = z.object({
  surveyId: Id,
  edition: Whole,
  state: State,
  version: Version,
  title: Untrusted,
  intro: OptionalUntrusted,
  language: z.string(),
  questions: z.array(QuestionShown),
  updatedAt: Time,
  publishedAt: Time.optional(),
  closedAt: Time.optional(),
});

/** An edition as answers show it. */
export function showEdition({ survey, questions, ...edition }: Edition) {
  return {
    ...present(edition, 'title', 'intro'),
    surveyId: survey,
    questions: questions.map(showQuestion),
  };
}

function showQuestion({ options, ...question }: Question) {
  const { label, help, ...rest } = question;
  return {
    ...rest,
    label: untrusted(label),
    ...(help !== undefined && { help: untrusted(help) }),
    ...(options && { options: options.map((one) => present(one, 'label')) }),
  };
}

/** An edition in short: what a change of state answers. */
export const StateShown = z.object({
  surveyId: Id,
  edition: Whole,
  state: State,
  version: Version,
  title: Untrusted,
});

export function showState({ survey: surveyId, edition, state, version, title }: Edition) {
  return { surveyId, edition, state, version, title: untrusted(title) };
}

/** What a validation answers. */
export const FaultsShown = z.object({
  valid: z.boolean(),
  faults: z.array(z.object({ pointer: z.string(), message: z.string() })),
});

export function showFaults(faults: readonly Fault[]) {
  return { valid: faults.length === 0, faults: [...faults] };
}

/** What a save changes, where it changes something: its id comes with the version that was read. */
export function knownVersion(
  name: string,
  id: string | undefined,
  expectedVersion: number | undefined,
): KnownVersion | undefined {
  if ((id === undefined) !== (expectedVersion === undefined))
    throw new Refusal('invalid_input', `${name} and expectedVersion come together or not at all.`);
  return id === undefined || expectedVersion === undefined ? undefined : { id, expectedVersion };
}
