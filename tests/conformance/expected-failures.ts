import type { Failures } from './suite.ts';

/**
 * Scenarios and checks of the official suite that our serving path fails, by the reason. Nothing that we offer
 * stands here: tools, resources, templates, both opening methods, ping, headers, caching, statelessness.
 * The suite fails on an entry that passes, so the list cannot grow old.
 */
export const expectedFailures: Failures = {
  'Prompts are not offered: none of the three systems has any.': [
    'prompts-list',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
    'caching:sep-2549-prompts-list-caching-hints',
  ],
  'Completion is not offered: no prompt or template has an argument worth completing.': [
    'completion-complete',
  ],
  'One JSON answer a request, never a stream: nothing can be sent beside the answer.': [
    'tools-call-with-logging',
    'tools-call-with-progress',
    'logging-set-level',
  ],
  'No session and no stream, so there is nobody to notify of a changed resource.': [
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  'Stateless in every era: the legacy half of this scenario wants a session id first.': [
    'server-sse-multiple-streams:server-sse-multiple-streams-session',
  ],
  'The server never asks the client: sampling and elicitation need a stream in the legacy era.': [
    'tools-call-sampling',
    'tools-call-elicitation',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  'The server never asks the client: no tool answers input_required in the modern era.': [
    'input-required-result-basic-elicitation',
    'input-required-result-basic-sampling',
    'input-required-result-basic-list-roots',
    'input-required-result-request-state',
    'input-required-result-multiple-input-requests',
    'input-required-result-multi-round',
    'input-required-result-non-tool-request',
    'input-required-result-result-type',
    'input-required-result-tampered-state',
    'input-required-result-capability-check',
    'input-required-result-missing-input-response',
    'input-required-result-ignore-extra-params',
  ],
  'No tool relies on a capability of the client, so none can be missing (-32021).': [
    'server-stateless:sep-2575-server-rejects-undeclared-capability',
    'server-stateless:sep-2575-missing-capability-http-400',
  ],
};
