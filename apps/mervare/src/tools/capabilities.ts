import { anyone, needs, type Access, type Tool } from '@portolan/mcp/tool';
import { z } from 'zod';
import { siteCaller, type SiteCaller } from '../mcp/callers/caller.ts';
import { tool } from '../mcp/tool.ts';
import { scopes, type Deps, type Grant, type Scope } from '../mcp/vocabulary.ts';
import { whoMayHold } from '../people/holdings.ts';

const Scopes = z.enum(Object.keys(scopes) as [Scope, ...Scope[]]);

const Capabilities = z.object({
  endpoint: z.string(),
  caller: z.object({ credential: z.string(), name: z.string() }),
  granted: z.array(Scopes),
  missing: z.array(z.object({ scope: Scopes, why: z.string() })),
});

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

function surveyCapabilitiesFor(access: Access<Scope, Grant>): Tool<Deps> {
  return tool('survey_capabilities', {
    title: 'Survey capabilities',
    says: 'Says who you are here, which scopes were really granted, and for every other scope why it is missing. Call it first: without a survey scope no other survey tool is there.',
    access,
    effect: 'reads',
    input: z.strictObject({}),
    output: Capabilities,
    example: {},
  }).run((_input, { caller }) => Promise.resolve(capabilitiesOf(siteCaller(caller))));
}

/** Listed with any survey scope. */
export const surveyCapabilities = surveyCapabilitiesFor(needs('author', 'publisher', 'analyst', 'reader'));

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
