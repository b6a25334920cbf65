import type { Tool } from '@portolan/mcp/tool';
import { builderCapabilities, surveyCapabilitiesForEveryone } from '../tools/capabilities.ts';
import type { Credential } from './callers/caller.ts';
import { agent, builder, funding, harbour, logbook, survey, type Family } from './families.ts';
import type { Deps, Scope } from './vocabulary.ts';

/** One MCP server. The servers differ in who may call them, and in nothing else that matters as much. */
export interface Server {
  /** Path on the site's origin. */
  readonly endpoint: string;
  readonly name: string;
  readonly title: string;
  readonly promise: string;
  /** `anyone`: no credential is asked for and none is looked at. `credential`: nobody else gets in. */
  readonly admits: 'anyone' | 'credential';
  /** The kinds of credential that work here; none where anyone is admitted. */
  readonly takes: readonly Credential[];
  /** What a caller presents, in words. */
  readonly authentication: string;
  /** Where a client reads how to get in. */
  readonly authMetadata?: string;
  /** What its tools change, in words. */
  readonly writes: string;
  /** The scope that every signed-in person may hold here, so that no consent is empty. */
  readonly floor?: Scope;
  readonly families: readonly Family[];
  /** Tools that everybody who is admitted may call, whether or not they are listed: how one learns what is missing. */
  readonly unlisted: readonly Tool<Deps>[];
  /** What a developer should know besides. */
  readonly remarks: readonly string[];
}

export const wide: Server = {
  endpoint: '/api/mcp',
  name: 'mervare',
  title: 'The wide door',
  promise:
    'Every tool that the caller is entitled to: surveys, observed harbour traffic, public harbour facts, the autonomous builder, the control plane of the agents and the funding workspace.',
  admits: 'credential',
  takes: [
    'oauth',
    'visitor',
    'survey_token',
    'control_token',
    'builder_token',
    'funding_collaborator',
    'funding_agent',
    'funding_service',
  ],
  authentication:
    'OAuth 2.1 with PKCE; a token of SURVEY_AGENT_TOKENS, AGENT_CONTROL_TOKENS or BUILDER_AGENT_TOKENS; or a collaborator, agent or service credential of the funding workspace',
  authMetadata: '/.well-known/oauth-protected-resource',
  writes:
    'As far as each caller is entitled: surveys, by scope and audited; the builder’s queue; hypotheses, evidence, handoffs, contacts and run records of the control plane; resources, comments, assessments, proposed actions and collaborator grants of the funding workspace.',
  floor: 'discovery',
  families: [survey, logbook, harbour, builder, agent, funding],
  unlisted: [surveyCapabilitiesForEveryone, builderCapabilities],
  remarks: [
    'A client is offered only what its token opens. serverInfo.version carries a fingerprint of the tool list that this caller gets, so a kept list ends when the entitlement changes, not only when a release comes.',
    'The scope discovery is the floor: everybody who signs in may hold it, it reaches only the public harbour facts, and so nobody leaves the consent screen with nothing.',
  ],
};

export const discovery: Server = {
  endpoint: '/api/mcp/discovery',
  name: 'mervare-harbours',
  title: 'Public harbour facts',
  promise: 'Every fact that a public harbour page shows, for any caller, without an account.',
  admits: 'anyone',
  takes: [],
  authentication: 'None, on purpose',
  writes: 'Nothing, ever.',
  families: [harbour],
  unlisted: [],
  remarks: [
    'The tools name their fields one by one and take them from the same composition as the public pages. What a visitor without an account cannot read there, this server cannot answer.',
  ],
};

export const builderOnly: Server = {
  endpoint: '/api/mcp/builder',
  name: 'mervare-builder',
  title: 'The builder’s control plane',
  promise: 'Queue a task for the autonomous builder, watch it, and withdraw one that has not started.',
  admits: 'credential',
  takes: ['oauth', 'builder_token'],
  authentication: 'OAuth 2.1 with PKCE and the builder scope, or a token of BUILDER_AGENT_TOKENS',
  authMetadata: '/.well-known/oauth-protected-resource/api/mcp/builder',
  writes: 'Queues and withdraws tasks. There is no verb to commit, push, approve, merge or deploy.',
  families: [builder],
  unlisted: [builderCapabilities],
  remarks: [
    'A task that passes CI and review is merged to main without a further approval.',
    'The wide door serves these tools as well, to callers with the builder scope. This endpoint is for a CI job that presents a builder credential and should see the builder and nothing else.',
  ],
};

/** The three servers, in the order in which they are published. */
export const servers: readonly Server[] = [wide, discovery, builderOnly];
