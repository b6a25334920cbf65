import { metadataOf } from '../mcp/registry.ts';
import { endpoints } from './endpoints.ts';
import { RESPONSE_MODES } from './parameters.ts';
import type { Resource } from './resources.ts';

/** Every protected-resource document by its path. A server's published address may be another than the one by its path. */
export function resourceDocuments(
  resources: readonly Resource[],
  origin: string,
): ReadonlyMap<string, object> {
  return new Map(
    resources.flatMap((resource) => {
      const document = resourceDocument(resource, origin);
      const ownPath = new URL(metadataOf(resource.server, origin)).pathname;
      const paths = new Set([ownPath, resource.server.authMetadata ?? ownPath]);
      return [...paths].map((path): [string, object] => [path, document]);
    }),
  );
}

/** Metadata of a protected resource (RFC 9728 §2). */
function resourceDocument({ audience, scopes, server }: Resource, origin: string): object {
  return {
    resource: audience,
    authorization_servers: [origin],
    scopes_supported: scopes,
    bearer_methods_supported: ['header'],
    resource_name: server.title,
    resource_documentation: `${origin}/developers/mcp`,
  };
}

/**
 * Metadata of the authorization server (RFC 8414 §2). It also stands where OpenID Connect puts such a document, because some
 * clients look there alone and want its three required fields; no identity is told to any client.
 */
export function serverDocument(resources: readonly Resource[], origin: string): object {
  const at = (path: string) => `${origin}${path}`;
  return {
    issuer: origin,
    authorization_endpoint: at(endpoints.authorization),
    token_endpoint: at(endpoints.token),
    registration_endpoint: at(endpoints.registration),
    revocation_endpoint: at(endpoints.revocation),
    jwks_uri: at(endpoints.jwks),
    scopes_supported: resources[0]?.scopes ?? [],
    response_types_supported: ['code'],
    response_modes_supported: RESPONSE_MODES,
    grant_types_supported: ['authorization_code', 'refresh_token'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    protected_resources: resources.map(({ audience }) => audience),
    service_documentation: at('/developers/mcp'),
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
}
