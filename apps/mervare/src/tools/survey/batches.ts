import { needs, Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { batchStanding, executeBatch } from '../../survey/batches.ts';
import type { Letter } from '../../survey/letters.ts';
import { LINK } from '../../survey/placeholders.ts';
import { MOST_LETTERS, prepareBatch } from '../../survey/preparing.ts';
import { BATCH_STATES } from '../../survey/batch-tables.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { confirmed, Count, Id, IdempotencyKey, Time, Whole } from '../shapes.ts';
import { ContextId, EditionNumber, ExpiresAt, momentOf, SurveyId, TemplateId } from './shapes.ts';

const BatchId = Id.describe('From survey_batch_prepare');

export const surveyBatchPrepare = change('survey_batch_prepare', {
  title: 'Prepare a batch of invitations',
  says: 'Freezes a list of addressees with every letter to them, and answers a digest of all of it; sends nothing. Every missing fact, repeated address and invitation that is there already is a fault.',
  access: needs('publisher'),
  effect: 'writes',
  input: z.strictObject({
    surveyId: SurveyId,
    edition: EditionNumber,
    templateId: TemplateId,
    contextIds: z.array(ContextId).min(1).max(MOST_LETTERS),
    expiresAt: ExpiresAt,
    idempotencyKey: IdempotencyKey,
  }),
  output: z.object({
    batchId: Id,
    digest: z.string(),
    letters: Count,
    languages: z.record(z.string(), Count).describe('Letters by language'),
    first: z.object({ to: Untrusted, subject: Untrusted, body: Untrusted }),
  }),
  example: {
    surveyId: '0198c5c8-2a00-7000-8000-000000000031',
    edition: 1,
    templateId: '0198c5c8-2a00-7000-8000-000000000033',
    contextIds: ['0198c5c8-2a00-7000-8000-000000000034'],
  },
}).run(async ({ surveyId: survey, edition, ...given }, { tx, caller, now }) => {
  const { templateId: template, contextIds: contexts, expiresAt } = given;
  const asked = { survey, edition, template, contexts, expiresAt: momentOf(expiresAt) };
  const { id: batchId, digest, letters } = await prepareBatch(tx, actorId(caller), asked, now);
  return { answer: { batchId, digest, ...summary(letters) }, ids: [batchId, survey] };
});

function summary(letters: readonly Letter[]) {
  const [first] = letters;
  if (!first) throw new Error('A batch has no letter.');
  const languages: Record<string, number> = {};
  for (const { language } of letters) languages[language] = (languages[language] ?? 0) + 1;
  const { addressee, subject, body } = first;
  const shown = { to: addressee, subject, body: body.join(`{{${LINK}}}`) };
  return { letters: letters.length, languages, first: present(shown, 'to', 'subject', 'body') };
}

const BatchShown = z.object({ batchId: Id, state: z.enum(BATCH_STATES) });

export const surveyBatchExecute = change('survey_batch_execute', {
  title: 'Send a batch of invitations',
  says: 'Sends what was prepared, in the background and each letter once; it goes on after a loss of the server. Takes the digest that survey_batch_prepare answered. A batch that was halted, for example by survey_pause, goes on when this is repeated.',
  access: needs('publisher'),
  effect: 'writes',
  idempotent: true,
  openWorld: true,
  input: z.strictObject({ batchId: BatchId, digest: z.string().max(64) }),
  output: BatchShown,
  example: {
    batchId: '0198c5c8-2a00-7000-8000-000000000036',
    digest: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  },
  meta: confirmed,
}).run(async ({ batchId, digest }, { tx, caller, now }) => {
  const { state, survey } = await executeBatch(tx, actorId(caller), { id: batchId, digest }, now);
  return { answer: { batchId, state }, ids: [batchId, survey] };
});

export const surveyBatchStatus = tool('survey_batch_status', {
  title: 'See how far a batch is',
  says: 'State and counts of a batch: each letter waits, was passed over because the addressee had an invitation by then, or is queued, sent, bounced, suppressed or withdrawn; of the links, how many were opened and answered.',
  access: needs('publisher'),
  effect: 'reads',
  input: z.strictObject({ batchId: BatchId }),
  output: BatchShown.extend({
    surveyId: Id,
    edition: Whole,
    reason: z.string().optional(),
    executedAt: Time.optional(),
    endedAt: Time.optional(),
    letters: Count,
    waiting: Count,
    passedOver: Count,
    queued: Count,
    sent: Count,
    bounced: Count,
    suppressed: Count,
    withdrawn: Count,
    opened: Count,
    answered: Count,
  }),
  example: { batchId: '0198c5c8-2a00-7000-8000-000000000036' },
}).run(async ({ batchId }, { deps }) => {
  const { id, survey, ...standing } = await batchStanding(deps.db, batchId);
  return { batchId: id, surveyId: survey, ...present(standing) };
});
