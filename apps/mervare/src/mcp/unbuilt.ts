/**
 * The published names of the tools that are not built yet, in their published order, by what they wait for. A tool that is
 * built stands in its family as a value and leaves this list.
 */
export const unbuilt = {
  surveyReplies: ['survey_replies', 'survey_reply_handled'],
  agentMail: [
    'agent_mail_prepare',
    'agent_mail_enqueue',
    'agent_mail_get',
    'agent_mail_list',
    'agent_mail_pause',
    'agent_mail_resume',
  ],
} as const;
