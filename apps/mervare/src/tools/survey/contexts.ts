import { needs, Untrusted, untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { contextFaults } from '../../survey/context-faults.ts';
import { listContexts, readContext, saveContext, type Context } from '../../survey/contexts.ts';
import { fillFaults } from '../../survey/letters.ts';
import { readTemplate } from '../../survey/templates.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { Cursor, ExpectedVersion, Id, IdempotencyKey, Limit, NextCursor, Time, Version } from '../shapes.ts';
import { ContextId, FaultsShown, knownVersion, showFaults, TemplateId, Words } from './shapes.ts';

const given = {
  email: Words(254),
  person: Words(200).describe('Name of the addressee'),
  harbour: Words(5).nullable().default(null).describe('LOCODE of a harbour of the register'),
  language: Words(35).describe('BCP 47, such as et'),
  facts: z
    .record(z.string().max(60), Words(500))
    .refine((facts) => Object.keys(facts).length <= 50, 'must be at most 50')
    .default({})
    .describe('By placeholder'),
};

const example = {
  email: 'master@harbour.example',
  person: 'Kadri Tamm',
  harbour: 'EETLL',
  language: 'et',
  facts: { berths: '120' },
};

export const surveyTargetContextValidate = tool('survey_target_context_validate', {
  title: 'Find the faults of a target context',
  says: 'Every fault of facts that survey_target_context_save would refuse, each with a JSON pointer; with templateId also what that template asks for and they lack. Keeps nothing.',
  access: needs('author'),
  effect: 'reads',
  input: z.strictObject({ ...given, templateId: TemplateId.optional() }),
  output: FaultsShown,
  example,
}).run(async ({ templateId: id, ...text }, { deps }) => {
  const own = await contextFaults(deps.db, text);
  if (id === undefined) return showFaults(own);
  return showFaults([...own, ...fillFaults(await readTemplate(deps.db, { id }), text)]);
});

export const surveyTargetContextSave = change('survey_target_context_save', {
  title: 'Save a target context',
  says: 'Keeps facts about one addressee, which fill the placeholders of a template; with contextId and expectedVersion replaces those that you read.',
  access: needs('author'),
  effect: 'writes',
  input: z.strictObject({
    contextId: ContextId.optional(),
    expectedVersion: ExpectedVersion.optional(),
    ...given,
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({ id: Id, version: Version }),
  example,
}).run(async ({ contextId, expectedVersion, ...text }, { tx, caller, now }) => {
  const known = knownVersion('contextId', contextId, expectedVersion);
  const { id, version } = await saveContext(tx, actorId(caller), { known, text }, now);
  return { answer: { id, version }, ids: [id] };
});

const ContextShown = z.object({
  id: Id,
  version: Version,
  email: Untrusted,
  person: Untrusted,
  harbour: z.string().optional(),
  language: z.string(),
  facts: z.record(z.string(), Untrusted),
  updatedAt: Time,
});

function show({ facts, ...context }: Context) {
  const marked = Object.entries(facts).map(([name, value]) => [name, untrusted(value)]);
  return {
    ...present(context, 'email', 'person'),
    facts: Object.fromEntries(marked) as Record<string, { untrusted: string }>,
  };
}

export const surveyTargetContextGet = tool('survey_target_context_get', {
  title: 'Read a target context',
  says: 'The facts about one addressee.',
  access: needs('author', 'publisher'),
  effect: 'reads',
  input: z.strictObject({ contextId: ContextId }),
  output: ContextShown,
  example: { contextId: '0198c5c8-2a00-7000-8000-000000000034' },
}).run(async ({ contextId }, { deps }) => show(await readContext(deps.db, contextId)));

export const surveyTargetContextList = tool('survey_target_context_list', {
  title: 'List target contexts',
  says: 'Addressees with their facts, the newest first. Gives the ids that the sending tools take.',
  access: needs('author', 'publisher'),
  effect: 'reads',
  input: z.strictObject({
    harbour: Words(5).optional().describe('LOCODE'),
    limit: Limit,
    cursor: Cursor,
  }),
  output: z.object({ contexts: z.array(ContextShown), nextCursor: NextCursor }),
  example: { harbour: 'EETLL' },
}).run(async ({ harbour, ...paging }, { deps }) => {
  const { rows, ...page } = await listContexts(deps.db, { harbour }, paging);
  return { contexts: rows.map(show), ...page };
});
