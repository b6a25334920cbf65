/**
 * The published names of the tools that are not built yet, in their published order, by what they wait for. A tool that is
 * built stands in its family as a value and leaves this list.
 */
export const unbuilt = {
  surveyPages: ['survey_preview'],
  surveySending: ['survey_send_invitation', 'survey_invitation_status'],
  surveyInvitations: [
    'survey_invitation_create',
    'survey_invitation_get',
    'survey_invitation_list',
    'survey_invitation_revoke',
  ],
  surveyBatches: ['survey_send', 'survey_batch_prepare', 'survey_batch_execute', 'survey_batch_status'],
  surveyReplies: ['survey_replies', 'survey_reply_handled'],
  surveyStatus: ['survey_status'],
  agentMail: [
    'agent_mail_prepare',
    'agent_mail_enqueue',
    'agent_mail_get',
    'agent_mail_list',
    'agent_mail_pause',
    'agent_mail_resume',
  ],
} as const;
