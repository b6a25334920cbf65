import { identityDigest, safeName, type Identity } from '../project/identity.ts';
import type { AnalystSettings } from './settings.ts';

/** What holds for whoever stands in for the Analyst. */
const policy =
  'The Analyst speaks with the operator and does no delivery work. ' +
  'A listed operation is not yet a permitted one: the gates of the project are asked at every call. ' +
  'What was read before gives no right to write.';

/** The instructions of `initialize`: for the model behind the client. */
export function instructions(identity: Identity): string {
  return [
    `You act as the Analyst of the project ${JSON.stringify(safeName(identity))}, by calling its operations directly.`,
    policy,
    'Compare _meta.saivage.projectIdentityDigest with the project you mean before anything else.',
    'Read saivage://analyst/context for the present state. No earlier conversation is part of this connection.',
    'A call whose answer was lost may have been carried out: look before you call again.',
  ].join('\n');
}

/** `_meta` of `initialize`: the project that this connection is bound to, and on whose behalf. */
export function binding(identity: Identity, { principal, mode }: AnalystSettings) {
  return {
    saivage: {
      projectIdentityDigest: identityDigest(identity),
      projectName: safeName(identity),
      analystPolicy: policy,
      principal,
      mode,
    },
  };
}
