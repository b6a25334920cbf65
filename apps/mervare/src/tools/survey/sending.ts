import { needs, Untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { LETTER_STATES } from '../../mail/tables.ts';
import { tool } from '../../mcp/tool.ts';
import { INVITATION_STATES } from '../../survey/invitations.ts';
import { inviteByMail, invitationStanding, sendInvitation } from '../../survey/sending.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import { confirmed, Count, Id, IdempotencyKey, Time } from '../shapes.ts';
import {
  ContextId,
  EditionNumber,
  ExpiresAt,
  InvitationId,
  momentOf,
  SurveyId,
  TemplateId,
} from './shapes.ts';

const QueuedShown = z.object({ invitationId: Id, letter: z.literal('queued') });
const queued = (invitationId: string) => ({ invitationId, letter: 'queued' as const });

export const surveySendInvitation = change('survey_send_invitation', {
  title: 'Invite somebody by mail',
  says: 'Invites an addressee to a published edition and sends the letter, with a personal link. A fact that the template asks for and the context lacks is a fault, and nothing is sent.',
  access: needs('publisher'),
  effect: 'writes',
  openWorld: true,
  input: z.strictObject({
    surveyId: SurveyId,
    edition: EditionNumber,
    templateId: TemplateId,
    contextId: ContextId,
    expiresAt: ExpiresAt,
    idempotencyKey: IdempotencyKey,
  }),
  output: QueuedShown,
  example: {
    surveyId: '0198c5c8-2a00-7000-8000-000000000031',
    edition: 1,
    templateId: '0198c5c8-2a00-7000-8000-000000000033',
    contextId: '0198c5c8-2a00-7000-8000-000000000034',
  },
  meta: confirmed,
}).run(async ({ surveyId: survey, edition, ...given }, { tx, caller, origin, now }) => {
  const { templateId: template, contextId: context, expiresAt } = given;
  const invitee = { survey, edition, template, context, expiresAt: momentOf(expiresAt) };
  const { id } = await inviteByMail(tx, invitee, { by: actorId(caller), origin, now });
  return { answer: queued(id), ids: [id, survey] };
});

export const surveySend = change('survey_send', {
  title: 'Send an invitation',
  says: 'Sends the letter of an invitation that has none yet, with a personal link, to the address that it was created with.',
  access: needs('publisher'),
  effect: 'writes',
  openWorld: true,
  input: z.strictObject({
    invitationId: InvitationId,
    templateId: TemplateId,
    contextId: ContextId.optional().describe('Of the same address: facts for the template'),
    idempotencyKey: IdempotencyKey,
  }),
  output: QueuedShown,
  example: {
    invitationId: '0198c5c8-2a00-7000-8000-000000000035',
    templateId: '0198c5c8-2a00-7000-8000-000000000033',
  },
  meta: confirmed,
}).run(
  async (
    { invitationId: invitation, templateId: template, contextId: context },
    { tx, caller, origin, now },
  ) => {
    const sending = { by: actorId(caller), origin, now };
    const { id, survey } = await sendInvitation(tx, { invitation, template, context }, sending);
    return { answer: queued(id), ids: [id, survey] };
  },
);

export const surveyInvitationStatus = tool('survey_invitation_status', {
  title: 'See where an invitation stands',
  says: 'Whether the letter is queued, sent, bounced, suppressed because the addressee wants none, or withdrawn with its invitation, and whether the link was opened or answered; never when, which would lead to the answer.',
  access: needs('publisher'),
  effect: 'reads',
  input: z.strictObject({ invitationId: InvitationId }),
  output: z.object({
    invitationId: Id,
    surveyId: Id,
    state: z.enum(INVITATION_STATES),
    letter: z
      .object({
        state: z.enum(LETTER_STATES),
        attempts: Count,
        queuedAt: Time,
        sentAt: Time.optional(),
        failedAt: Time.optional(),
        reason: Untrusted.optional(),
      })
      .optional(),
  }),
  example: { invitationId: '0198c5c8-2a00-7000-8000-000000000035' },
}).run(async ({ invitationId }, { deps }) => {
  const { invitation, letter } = await invitationStanding(deps.db, invitationId, deps.now());
  const { survey: surveyId, state } = invitation;
  return { invitationId, surveyId, state, ...(letter && { letter: present(letter, 'reason') }) };
});
