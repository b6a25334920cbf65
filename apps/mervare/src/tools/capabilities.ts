import { anyone, needs, type Access, type Tool } from '@portolan/mcp/tool';
import { z } from 'zod';
import { siteCaller, type SiteCaller } from '../mcp/callers/caller.ts';
import { tool } from '../mcp/tool.ts';
import { scopes, type Deps, type Grant, type Scope } from '../mcp/vocabulary.ts';
import { whoMayHold } from '../people/holdings.ts';
import {
  LONGEST_ANSWER,
  MOST_OPTIONS,
  MOST_QUESTIONS,
  MOST_STEPS,
  QUESTION_TYPES,
} from '../survey/question.ts';

const Scopes = z.enum(Object.keys(scopes) as [Scope, ...Scope[]]);

const Capabilities = z.object({
  endpoint: z.string(),
  caller: z.object({ credential: z.string(), name: z.string() }),
  granted: z.array(Scopes),
  missing: z.array(z.object({ scope: Scopes, why: z.string() })),
});

/** What surveys can be made of: for those who work with them. */
const SurveyFacts = z.object({
  questionTypes: z.array(z.enum(QUESTION_TYPES)),
  limits: z.object({
    questions: z.int(),
    optionsOfAQuestion: z.int(),
    stepsOfAScale: z.int(),
    charactersOfAnAnswer: z.int(),
  }),
});

const surveyFacts: z.input<typeof SurveyFacts> = {
  questionTypes: [...QUESTION_TYPES],
  limits: {
    questions: MOST_QUESTIONS,
    optionsOfAQuestion: MOST_OPTIONS,
    stepsOfAScale: MOST_STEPS,
    charactersOfAnAnswer: LONGEST_ANSWER,
  },
};

/** What the caller may do here, and for every other scope of this endpoint why not. */
function capabilitiesOf(caller: SiteCaller): z.input<typeof Capabilities> {
  const { audience, kind, name, offered, scopes: granted } = caller;
  const missing = offered.filter((scope) => !granted.includes(scope));
  return {
    endpoint: audience,
    caller: { credential: kind, name },
    granted: [...granted],
    missing: missing.map((scope) => ({ scope, why: whyNot(scope, caller) })),
  };
}

function whyNot(scope: Scope, { kind, carried, held, person }: SiteCaller): string {
  if (carried.includes(scope)) {
    const withdrawn = person
      ? `It is for ${whoMayHold(scope)}.`
      : 'A super admin can restore it in /admin/users.';
    return `The credential carries it, but it no longer counts. ${withdrawn}`;
  }
  if (kind === 'visitor' && held.includes(scope))
    return 'The chat of the pages never carries it. Connect a client.';
  if (held.includes(scope))
    return 'You may hold it, but this connection does not. Connect again to ask for it.';
  if (person === undefined) return 'This credential was issued without it.';
  return `It is for ${whoMayHold(scope)}.`;
}

const surveyScopes = ['author', 'publisher', 'analyst', 'reader'] as const;

function surveyCapabilitiesFor(access: Access<Scope, Grant>): Tool<Deps> {
  return tool('survey_capabilities', {
    title: 'Survey capabilities',
    says: 'Says who you are here, which scopes were really granted, and for every other scope why it is missing. With a survey scope also what surveys can be made of; without one no other survey tool is there. Call it first.',
    access,
    effect: 'reads',
    input: z.strictObject({}),
    output: Capabilities.extend({ survey: SurveyFacts.optional() }),
    example: {},
  }).run((_input, { caller }) => {
    const worksHere = surveyScopes.some((scope) => caller.scopes.includes(scope));
    return Promise.resolve({
      ...capabilitiesOf(siteCaller(caller)),
      ...(worksHere && { survey: surveyFacts }),
    });
  });
}

/** Listed with any survey scope. */
export const surveyCapabilities = surveyCapabilitiesFor(needs(...surveyScopes));

/** The same for those who hold none: it tells them what is missing, and is not listed. */
export const surveyCapabilitiesForEveryone = surveyCapabilitiesFor(anyone);

/** The one tool that is never listed. */
export const builderCapabilities = tool('builder_capabilities', {
  title: 'Builder capabilities',
  says: 'Says who you are here, which scopes were really granted, and for every other scope why it is missing.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({}),
  output: Capabilities,
  example: {},
}).run((_input, { caller }) => Promise.resolve(capabilitiesOf(siteCaller(caller))));
