/** What somebody is in the funding workspace. Only people are super admins; a grant never makes one. */
export const GRANT_ROLES = ['collaborator', 'agent', 'service'] as const;
export type GrantRole = (typeof GRANT_ROLES)[number];
export type Role = 'super_admin' | GrantRole;

const readers: readonly Role[] = ['super_admin', 'collaborator', 'agent', 'service'];
const contributors: readonly Role[] = ['super_admin', 'collaborator', 'agent'];
const assessors: readonly Role[] = ['super_admin', 'collaborator'];
const admins: readonly Role[] = ['super_admin'];

/** The one table of who may call what in the funding workspace, in the published order of the tools. */
export const mayCall = {
  funding_workspace_list: readers,
  funding_workspace_get: readers,
  funding_workspace_create: admins,
  funding_resource_list: readers,
  funding_resource_get: readers,
  funding_resource_create: admins,
  funding_resource_status_update: admins,
  funding_resource_correct: admins,
  funding_comment_list: readers,
  funding_comment_add: contributors,
  funding_assessment_list: readers,
  funding_assessment_add: assessors,
  funding_action_list: readers,
  funding_action_propose: contributors,
  funding_action_decide: admins,
  funding_collaborator_grant_list: admins,
  funding_collaborator_grant_create: admins,
  funding_collaborator_grant_revoke: admins,
  funding_security_pause: admins,
  funding_security_resume: admins,
  funding_audit_list: admins,
  funding_changes_since: readers,
  funding_inbox: contributors,
  funding_inbox_ack: contributors,
} as const satisfies Record<string, readonly Role[]>;

export type FundingToolName = keyof typeof mayCall;
