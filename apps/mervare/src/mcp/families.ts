import type { Tool } from '@portolan/mcp/tool';
import { surveyCapabilities } from '../tools/capabilities.ts';
import { agentCheckpointGet, agentCheckpointSet } from '../tools/agent/checkpoints.ts';
import { agentHandoffClaim, agentHandoffComplete } from '../tools/agent/claims.ts';
import { agentContactPipelineList, agentContactPipelineUpsert } from '../tools/agent/contacts.ts';
import { agentChangesSince, agentEventList, agentStateOverview } from '../tools/agent/events.ts';
import { agentEvidenceAdd, agentEvidenceList } from '../tools/agent/evidence.ts';
import {
  agentExperimentCreate,
  agentExperimentGet,
  agentExperimentList,
  agentExperimentUpdate,
} from '../tools/agent/experiments.ts';
import { agentHandoffBlock, agentHandoffCreate, agentHandoffList } from '../tools/agent/handoffs.ts';
import { agentHypothesisGet, agentHypothesisList, agentHypothesisUpsert } from '../tools/agent/hypotheses.ts';
import { agentMailEnqueue, agentMailGet, agentMailList, agentMailPrepare } from '../tools/agent/mail.ts';
import { agentMailPause, agentMailResume } from '../tools/agent/mail-switch.ts';
import { agentRunRecord, agentVerificationRecord } from '../tools/agent/records.ts';
import {
  builderCancelTask,
  builderGetTask,
  builderListTasks,
  builderQueueTask,
} from '../tools/builder/tasks.ts';
import { builderRecoverWorker, builderWorkerStatus } from '../tools/builder/workers.ts';
import { fundingActionDecide, fundingActionList, fundingActionPropose } from '../tools/funding/actions.ts';
import { fundingAssessmentAdd, fundingAssessmentList } from '../tools/funding/assessments.ts';
import { fundingCommentAdd, fundingCommentList } from '../tools/funding/comments.ts';
import { fundingResourceCorrect, fundingResourceStatusUpdate } from '../tools/funding/corrections.ts';
import {
  fundingCollaboratorGrantCreate,
  fundingCollaboratorGrantList,
  fundingCollaboratorGrantRevoke,
} from '../tools/funding/grants.ts';
import { fundingInbox, fundingInboxAck } from '../tools/funding/inbox.ts';
import {
  fundingResourceCreate,
  fundingResourceGet,
  fundingResourceList,
} from '../tools/funding/resources.ts';
import { fundingSecurityPause, fundingSecurityResume } from '../tools/funding/security.ts';
import { fundingAuditList, fundingChangesSince } from '../tools/funding/trail.ts';
import {
  fundingWorkspaceCreate,
  fundingWorkspaceGet,
  fundingWorkspaceList,
} from '../tools/funding/workspaces.ts';
import { harbourQuery, harbourStats } from '../tools/harbour/figures.ts';
import { harbourGet, harbourPageSnapshot } from '../tools/harbour/harbour.ts';
import { harbourSearch } from '../tools/harbour/search.ts';
import { logbookEntries } from '../tools/logbook/entries.ts';
import { logbookStats } from '../tools/logbook/stats.ts';
import { surveyAnalysis, surveyArtifacts, surveySaveAnalysis } from '../tools/survey/analysis.ts';
import { surveyBatchExecute, surveyBatchPrepare, surveyBatchStatus } from '../tools/survey/batches.ts';
import {
  surveyTargetContextGet,
  surveyTargetContextList,
  surveyTargetContextSave,
  surveyTargetContextValidate,
} from '../tools/survey/contexts.ts';
import {
  surveyCloneVersion,
  surveyCreateDraft,
  surveyUpdateDraft,
  surveyValidate,
} from '../tools/survey/drafts.ts';
import {
  surveyInvitationCreate,
  surveyInvitationGet,
  surveyInvitationList,
  surveyInvitationRevoke,
} from '../tools/survey/invitations.ts';
import { surveyPreview } from '../tools/survey/preview.ts';
import { surveyReplies, surveyReplyHandled } from '../tools/survey/replies.ts';
import { surveyAudit, surveyResponses } from '../tools/survey/responses.ts';
import { surveyInvitationStatus, surveySend, surveySendInvitation } from '../tools/survey/sending.ts';
import { surveyClose, surveyPause, surveyPublish, surveyResume } from '../tools/survey/states.ts';
import { surveyStatus } from '../tools/survey/status.ts';
import { surveyGet, surveyList } from '../tools/survey/surveys.ts';
import {
  surveyInvitationTemplateGet,
  surveyInvitationTemplateList,
  surveyInvitationTemplateSave,
  surveyInvitationTemplateValidate,
} from '../tools/survey/templates.ts';
import type { Deps, Scope } from './vocabulary.ts';

/** Tools that share a prefix and a subject. */
export interface Family {
  readonly prefix: string;
  readonly subject: string;
  /** Who gets these tools, in words. */
  readonly opensTo: string;
  /** Every scope that opens at least one of the tools; none where any caller gets them. */
  readonly scopes: readonly Scope[];
  /** In their published order. */
  readonly tools: readonly Tool<Deps>[];
}

export const survey: Family = {
  prefix: 'survey_',
  subject: 'Surveys',
  opensTo: 'callers with a survey scope: author, publisher, analyst or reader',
  scopes: ['author', 'publisher', 'analyst', 'reader'],
  tools: [
    surveyCapabilities,
    surveyList,
    surveyGet,
    surveyCreateDraft,
    surveyUpdateDraft,
    surveyValidate,
    surveyPreview,
    surveyPublish,
    surveyPause,
    surveyResume,
    surveyClose,
    surveyCloneVersion,
    surveySendInvitation,
    surveyInvitationStatus,
    surveyInvitationTemplateValidate,
    surveyInvitationTemplateSave,
    surveyInvitationTemplateGet,
    surveyInvitationTemplateList,
    surveyTargetContextValidate,
    surveyTargetContextSave,
    surveyTargetContextGet,
    surveyTargetContextList,
    surveyInvitationCreate,
    surveyInvitationGet,
    surveyInvitationList,
    surveyInvitationRevoke,
    surveySend,
    surveyBatchPrepare,
    surveyBatchExecute,
    surveyBatchStatus,
    surveyReplies,
    surveyReplyHandled,
    surveyStatus,
    surveyAnalysis,
    surveyResponses,
    surveySaveAnalysis,
    surveyArtifacts,
    surveyAudit,
  ],
};

export const logbook: Family = {
  prefix: 'logbook_',
  subject: 'Observed harbour traffic',
  opensTo: 'callers with the harbour scope',
  scopes: ['harbour'],
  tools: [logbookStats, logbookEntries],
};

export const harbour: Family = {
  prefix: 'harbour_',
  subject: 'Public harbour facts',
  opensTo: 'every caller, because the facts are public anyway',
  scopes: [],
  tools: [harbourSearch, harbourGet, harbourPageSnapshot, harbourQuery, harbourStats],
};

export const builder: Family = {
  prefix: 'builder_',
  subject: 'The autonomous builder',
  opensTo: 'callers with the builder scope whose builder grant still stands when they call',
  scopes: ['builder'],
  tools: [
    builderListTasks,
    builderGetTask,
    builderQueueTask,
    builderCancelTask,
    builderWorkerStatus,
    builderRecoverWorker,
  ],
};

export const agent: Family = {
  prefix: 'agent_',
  subject: 'The control plane that agents share',
  opensTo:
    'callers with the control scope; a builder credential reaches only the claiming and completing of handoffs that are addressed to it',
  scopes: ['builder', 'control'],
  tools: [
    agentStateOverview,
    agentHypothesisList,
    agentHypothesisGet,
    agentHypothesisUpsert,
    agentEvidenceAdd,
    agentEvidenceList,
    agentHandoffCreate,
    agentHandoffList,
    agentHandoffClaim,
    agentHandoffComplete,
    agentHandoffBlock,
    agentContactPipelineList,
    agentContactPipelineUpsert,
    agentRunRecord,
    agentExperimentCreate,
    agentExperimentUpdate,
    agentExperimentGet,
    agentExperimentList,
    agentMailPrepare,
    agentMailEnqueue,
    agentMailGet,
    agentMailList,
    agentMailPause,
    agentMailResume,
    agentEventList,
    agentCheckpointGet,
    agentCheckpointSet,
    agentChangesSince,
    agentVerificationRecord,
  ],
};

export const funding: Family = {
  prefix: 'funding_',
  subject: 'The funding workspace',
  opensTo:
    'callers with the funding scope, and funding credentials, each with its own fixed narrow role that is never super_admin',
  scopes: ['funding'],
  tools: [
    fundingWorkspaceList,
    fundingWorkspaceGet,
    fundingWorkspaceCreate,
    fundingResourceList,
    fundingResourceGet,
    fundingResourceCreate,
    fundingResourceStatusUpdate,
    fundingResourceCorrect,
    fundingCommentList,
    fundingCommentAdd,
    fundingAssessmentList,
    fundingAssessmentAdd,
    fundingActionList,
    fundingActionPropose,
    fundingActionDecide,
    fundingCollaboratorGrantList,
    fundingCollaboratorGrantCreate,
    fundingCollaboratorGrantRevoke,
    fundingSecurityPause,
    fundingSecurityResume,
    fundingAuditList,
    fundingChangesSince,
    fundingInbox,
    fundingInboxAck,
  ],
};
