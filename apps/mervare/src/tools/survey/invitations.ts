import { needs, Refusal } from '@portolan/mcp/tool';
import { z } from 'zod';
import { actorId } from '../../audit/actor.ts';
import { tool } from '../../mcp/tool.ts';
import { readEdition } from '../../survey/editions.ts';
import {
  createInvitation,
  INVITATION_STATES,
  listInvitations,
  readInvitation,
  type Invitation,
} from '../../survey/invitations.ts';
import { isLanguage, NO_LANGUAGE } from '../../survey/fault.ts';
import { requireUninvited } from '../../survey/invited.ts';
import { issueLink } from '../../survey/links.ts';
import { revokeInvitation } from '../../survey/revocation.ts';
import { change } from '../change.ts';
import { present } from '../present.ts';
import {
  confirmed,
  Cursor,
  Email,
  Id,
  Limit,
  NextCursor,
  OptionalUntrusted,
  Text,
  Time,
  Whole,
} from '../shapes.ts';
import { EditionNumber, ExpiresAt, InvitationId, momentOf, SurveyId } from './shapes.ts';

const State = z.enum(INVITATION_STATES);

const InvitationShown = z.object({
  id: Id,
  surveyId: Id,
  edition: Whole,
  state: State,
  name: OptionalUntrusted,
  email: z.string().optional(),
  language: z.string(),
  contextId: Id.optional(),
  batchId: Id.optional(),
  by: z.string(),
  at: Time,
  expiresAt: Time.optional(),
  revokedAt: Time.optional(),
});

function show({ survey: surveyId, context: contextId, batch: batchId, ...invitation }: Invitation) {
  return present({ ...invitation, surveyId, contextId, batchId }, 'name');
}

export const surveyInvitationCreate = change('survey_invitation_create', {
  title: 'Create an invitation',
  says: 'Invites one person to a published edition without sending anything: the personal link is in this answer only. If the answer is lost, revoke the invitation and create another. survey_send sends the letter later.',
  access: needs('publisher'),
  effect: 'writes',
  input: z.strictObject({
    surveyId: SurveyId,
    edition: EditionNumber,
    name: Text(200).optional(),
    email: Email.optional().describe('Needed to send a letter'),
    language: Text(35).optional().describe('Of letters; that of the survey unless given'),
    expiresAt: ExpiresAt,
  }),
  output: InvitationShown.extend({ link: z.string() }),
  example: {
    surveyId: '0198c5c8-2a00-7000-8000-000000000031',
    edition: 1,
    name: 'Harbour office, Kuressaare',
  },
}).run(async ({ surveyId: survey, edition, expiresAt, ...given }, { tx, caller, origin, now }) => {
  const {
    name = null,
    email = null,
    language = (await readEdition(tx, { survey, edition })).language,
  } = given;
  if (name === null && email === null)
    throw new Refusal('invalid_input', 'Say whom it is for: a name, an e-mail address, or both.');
  if (!isLanguage(language)) throw new Refusal('invalid_input', `language ${NO_LANGUAGE}.`);
  if (email !== null) await requireUninvited(tx, { survey, edition }, email, now);
  const text = { survey, edition, name, email, language, context: null, batch: null };
  const whole = { ...text, expiresAt: momentOf(expiresAt) };
  const invitation = await createInvitation(tx, actorId(caller), whole, now);
  const link = await issueLink(tx, { invitation: invitation.id, origin });
  return { answer: { ...show(invitation), link }, ids: [invitation.id, survey] };
});

export const surveyInvitationGet = tool('survey_invitation_get', {
  title: 'Read an invitation',
  says: 'One invitation, without its link: whom it is for and whether it was opened and answered, but not when, because a time would tell whose response is whose.',
  access: needs('publisher', 'reader'),
  effect: 'reads',
  input: z.strictObject({ invitationId: InvitationId }),
  output: InvitationShown,
  example: { invitationId: '0198c5c8-2a00-7000-8000-000000000035' },
}).run(async ({ invitationId }, { deps }) => show(await readInvitation(deps.db, invitationId, deps.now())));

export const surveyInvitationList = tool('survey_invitation_list', {
  title: 'List invitations',
  says: 'The invitations to a survey, the newest first, without their links.',
  access: needs('publisher', 'reader'),
  effect: 'reads',
  input: z.strictObject({ surveyId: SurveyId, state: State.optional(), limit: Limit, cursor: Cursor }),
  output: z.object({ invitations: z.array(InvitationShown), nextCursor: NextCursor }),
  example: { surveyId: '0198c5c8-2a00-7000-8000-000000000031', state: 'opened' },
}).run(async ({ surveyId: survey, state, ...paging }, { deps }) => {
  await readEdition(deps.db, { survey });
  const { rows, ...page } = await listInvitations(deps.db, { survey, state }, paging, deps.now());
  return { invitations: rows.map(show), ...page };
});

export const surveyInvitationRevoke = change('survey_invitation_revoke', {
  title: 'Revoke an invitation',
  says: 'Its links stop working for good, what was half finished behind them is forgotten, and a letter that has not left is withdrawn. Refused once it was answered.',
  access: needs('publisher'),
  effect: 'destroys',
  input: z.strictObject({ invitationId: InvitationId }),
  output: InvitationShown,
  example: { invitationId: '0198c5c8-2a00-7000-8000-000000000035' },
  meta: confirmed,
}).run(async ({ invitationId }, { tx, now }) => {
  const invitation = await revokeInvitation(tx, invitationId, now);
  return { answer: show(invitation), ids: [invitation.id, invitation.survey] };
});
