/**
 * The published names of the tools that are not built yet, in their published order, by what they wait for. A tool that is
 * built stands in its family as a value and leaves this list.
 */
export const unbuilt = {
  surveyPages: ['survey_preview'],
  surveyMail: [
    'survey_send_invitation',
    'survey_invitation_status',
    'survey_invitation_template_validate',
    'survey_invitation_template_save',
    'survey_invitation_template_get',
    'survey_invitation_template_list',
    'survey_target_context_validate',
    'survey_target_context_save',
    'survey_target_context_get',
    'survey_target_context_list',
    'survey_invitation_create',
    'survey_invitation_get',
    'survey_invitation_list',
    'survey_invitation_revoke',
    'survey_send',
    'survey_batch_prepare',
    'survey_batch_execute',
    'survey_batch_status',
    'survey_replies',
    'survey_reply_handled',
    'survey_status',
  ],
  agentMail: [
    'agent_mail_prepare',
    'agent_mail_enqueue',
    'agent_mail_get',
    'agent_mail_list',
    'agent_mail_pause',
    'agent_mail_resume',
  ],
} as const;
