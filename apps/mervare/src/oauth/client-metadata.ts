import { z } from 'zod';
import { redirectKind } from './redirect-rule.ts';

/** Characters of all redirect addresses: anybody may register, and each client is kept for a while. */
const LONGEST = 16_384;

/** What a client may say of itself, in its registration or in its document. All else is ignored. */
const Stated = z.object({
  redirect_uris: z
    .array(z.string())
    .max(50)
    .refine((uris) => uris.join('').length <= LONGEST, `must have at most ${LONGEST} characters together`),
  client_name: z.string().max(200).transform(plainName).optional(),
  client_uri: z.string().max(2000).optional(),
  grant_types: z.array(z.string()).max(20).optional(),
});

/** What holds for a client. */
export interface ClientMetadata {
  readonly redirect_uris: readonly string[];
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly grant_types: readonly string[];
  readonly response_types: readonly ['code'];
  readonly token_endpoint_auth_method: 'none';
  readonly application_type: 'native' | 'web';
}

/** A fault in metadata, in the words of RFC 7591 §3.2.2. */
export interface MetadataFault {
  readonly error: 'invalid_redirect_uri' | 'invalid_client_metadata';
  readonly error_description: string;
}

const GRANT_TYPES = ['authorization_code', 'refresh_token'];

/**
 * What holds for a client that says this of itself. Every client is public and uses PKCE, whatever method it asks for. `scope`
 * is dropped: a client would otherwise be bound to what it happened to name first. The type follows from the redirect addresses,
 * because many clients leave it out and would then be held to one loopback port.
 */
export function clientMetadata(said: unknown): ClientMetadata | MetadataFault {
  const read = Stated.safeParse(withoutNulls(said));
  if (!read.success) return invalidMetadata(read.error);
  const {
    redirect_uris: asked,
    grant_types: grants = ['authorization_code'],
    client_uri,
    ...words
  } = read.data;
  const redirect_uris = [...new Set(asked)].filter((uri) => redirectKind(uri) !== undefined);
  if (redirect_uris.length === 0)
    return {
      error: 'invalid_redirect_uri',
      error_description:
        'redirect_uris needs an https address, an http address of a loopback host, or one with a private-use scheme',
    };
  return {
    redirect_uris,
    ...words,
    ...(client_uri !== undefined && redirectKind(client_uri) === 'web' && { client_uri }),
    grant_types: GRANT_TYPES.filter((type) => type === 'authorization_code' || grants.includes(type)),
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    application_type: redirect_uris.every((uri) => redirectKind(uri) === 'web') ? 'web' : 'native',
  };
}

/** A name without the characters that could make it look like something else: controls, and marks that turn the reading order. */
function plainName(text: string): string {
  return text.replaceAll(/\p{C}/gu, '').replaceAll(/\s+/gu, ' ').trim();
}

/** Some clients send null for what they have nothing to say about. */
function withoutNulls(said: unknown): unknown {
  if (typeof said !== 'object' || said === null || Array.isArray(said)) return said;
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== null));
}

function invalidMetadata({ issues }: z.ZodError): MetadataFault {
  const [issue] = issues;
  const field = issue?.path.join('.') ?? '';
  return {
    error: field.startsWith('redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata',
    error_description: field === '' ? 'the metadata must be a JSON object' : `${field}: ${issue?.message}`,
  };
}
