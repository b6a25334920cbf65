/** Why a request is refused at the door, in the words of `WWW-Authenticate` (RFC 6750 §3, RFC 9728 §5.1). */
export interface Challenge {
  /** URL of the protected-resource document of the very endpoint that refuses. */
  readonly resourceMetadata?: string;
  /** The scopes to ask for. */
  readonly scopes?: readonly string[];
  /** Without one nothing was presented at all, and nothing more is said of why. */
  readonly error?: 'invalid_token' | 'insufficient_scope';
  readonly description?: string;
}

/** The value of `WWW-Authenticate`. Characters that may not stand in it are left out. */
export function challenge({ resourceMetadata, scopes, error, description }: Challenge): string {
  const parameters = Object.entries({
    error,
    error_description: description,
    resource_metadata: resourceMetadata,
    scope: scopes?.join(' '),
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name}="${quotable(value)}"`]));
  return ['Bearer', parameters.join(', ')].join(' ').trimEnd();
}

/** RFC 6750 §3 allows printable ASCII but for the quotation mark and the backslash. */
function quotable(value: string): string {
  return value.replaceAll(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '');
}
