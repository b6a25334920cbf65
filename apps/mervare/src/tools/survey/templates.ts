import { needs, Untrusted, untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { templateFaults } from '../../survey/template-faults.ts';
import { listTemplates } from '../../survey/template-list.ts';
import { readTemplate, saveTemplate, type Template } from '../../survey/templates.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import {
  Cursor,
  ExpectedVersion,
  Id,
  IdempotencyKey,
  Limit,
  NextCursor,
  Time,
  Version,
  Whole,
} from '../shapes.ts';
import { FaultsShown, knownVersion, showFaults, TemplateId, Words } from './shapes.ts';

const given = {
  name: Words(200),
  placeholders: z
    .array(Words(60))
    .max(50)
    .default([])
    .describe('Names of facts that the texts ask for; person, harbour and link are known'),
  texts: z
    .array(z.strictObject({ language: Words(35), subject: Words(200), body: Words(8000) }))
    .max(30)
    .describe('One a language; {{link}} stands in every body'),
};

const example = {
  name: 'Berths in 2026',
  placeholders: ['berths'],
  texts: [
    {
      language: 'en',
      subject: 'Berths in {{harbour}}',
      body: 'Dear {{person}},\n\nyou had {{berths}} berths. And now?\n{{link}}',
    },
  ],
};

export const surveyInvitationTemplateValidate = tool('survey_invitation_template_validate', {
  title: 'Find the faults of an invitation template',
  says: 'Every fault of a text that survey_invitation_template_save would refuse, each with a JSON pointer. Keeps nothing.',
  access: needs('author'),
  effect: 'reads',
  input: z.strictObject(given),
  output: FaultsShown,
  example,
}).run((text) => Promise.resolve(showFaults(templateFaults(text))));

const SavedShown = z.object({ id: Id, edition: Whole, version: Version });

export const surveyInvitationTemplateSave = change('survey_invitation_template_save', {
  title: 'Save an invitation template',
  says: 'Keeps the text of an invitation in several languages, with placeholders such as {{berths}}; with templateId and expectedVersion changes the one that you read. An edition that was used stays, and saving makes the next.',
  access: needs('author'),
  effect: 'writes',
  input: z.strictObject({
    templateId: TemplateId.optional(),
    expectedVersion: ExpectedVersion.optional(),
    ...given,
    idempotencyKey: IdempotencyKey,
  }),
  output: SavedShown,
  example,
}).run(async ({ templateId, expectedVersion, ...text }, { tx, caller, now }) => {
  const known = knownVersion('templateId', templateId, expectedVersion);
  const { id, edition, version } = await saveTemplate(tx, actorId(caller), { known, text }, now);
  return { answer: { id, edition, version }, ids: [id] };
});

export const surveyInvitationTemplateGet = tool('survey_invitation_template_get', {
  title: 'Read an invitation template',
  says: 'One edition of a template whole, the latest unless you name one.',
  access: needs('author', 'publisher', 'reader'),
  effect: 'reads',
  input: z.strictObject({ templateId: TemplateId, edition: Whole.optional() }),
  output: SavedShown.extend({
    name: Untrusted,
    placeholders: z.array(z.string()),
    texts: z.array(z.object({ language: z.string(), subject: Untrusted, body: Untrusted })),
    updatedAt: Time,
    usedAt: Time.optional(),
  }),
  example: { templateId: '0198c5c8-2a00-7000-8000-000000000033' },
}).run(async ({ templateId: id, edition }, { deps }) => show(await readTemplate(deps.db, { id, edition })));

function show({ texts, placeholders, ...template }: Template) {
  return {
    ...present(template, 'name'),
    placeholders: [...placeholders],
    texts: texts.map(({ language, subject, body }) => ({
      language,
      subject: untrusted(subject),
      body: untrusted(body),
    })),
  };
}

export const surveyInvitationTemplateList = tool('survey_invitation_template_list', {
  title: 'List invitation templates',
  says: 'Templates, the newest first, each by its latest edition. Gives the ids that the sending tools take.',
  access: needs('author', 'publisher', 'reader'),
  effect: 'reads',
  input: z.strictObject({ limit: Limit, cursor: Cursor }),
  output: z.object({
    templates: z.array(
      SavedShown.extend({
        name: Untrusted,
        languages: z.array(z.string()),
        updatedAt: Time,
        usedAt: Time.optional(),
      }),
    ),
    nextCursor: NextCursor,
  }),
  example: {},
}).run(async (paging, { deps }) => {
  const { rows, ...page } = await listTemplates(deps.db, paging);
  return { templates: rows.map((row) => present(row, 'name')), ...page };
});
