import type { Logger } from '@portolan/http';
import type { Configuration, KoaContextWithOIDC, Provider } from 'oidc-provider';
import { readPerson } from '../people/person.ts';
import { adapters } from './adapter.ts';
import type { Keeping } from './keeping.ts';
import type { ReadDocument } from './client-document.ts';
import { CONSENT, endpoints } from './endpoints.ts';
import { features } from './features.ts';
import type { Keys } from './keys.ts';
import { lifetimes } from './lifetimes.ts';
import { FLOOR_ADDED } from './parameters.ts';
import { report } from './report.ts';
import { FLOOR, type Resource } from './resources.ts';

export interface ProviderOptions extends Keeping {
  /** Issuer: the site's origin. */
  readonly origin: string;
  readonly resources: readonly Resource[];
  readonly keys: Keys;
  readonly readDocument: ReadDocument;
  /** The page for what cannot be sent back to the client. */
  readonly renderError: (description: string) => Promise<string>;
  readonly log: Logger;
}

/** Of the one page that the library's own route answers with. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The authorization server behind our own routes. The library is loaded here, since it speaks on standard error when it is. */
export async function createProvider(options: ProviderOptions): Promise<Provider> {
  const { Provider, errors, interactionPolicy } = await import('oidc-provider');
  const { Check, Prompt } = interactionPolicy;
  const asked = new Check(
    'undecided',
    'a person has to decide',
    ({ oidc }) => oidc.result?.consent === undefined,
  );
  const target = (ctx: KoaContextWithOIDC, audience: string) => {
    const found = options.resources.find((one) => one.audience === audience);
    if (found === undefined || Array.isArray(ctx.oidc.params?.['resource']))
      throw new errors.InvalidTarget('the resource must be exactly one of the endpoints that take tokens');
    return {
      audience,
      scope: [...new Set([...found.scopes, FLOOR])].join(' '),
      accessTokenFormat: 'opaque' as const,
      accessTokenTTL: lifetimes.accessToken,
    };
  };
  const provider = new Provider(options.origin, {
    ...configuration(options),
    interactions: {
      policy: [new Prompt({ name: 'consent', requestable: false }, asked)],
      url: (_ctx, { uid }) => `${CONSENT}/${uid}`,
    },
    features: {
      ...features(),
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: target,
        useGrantedResource: () => true,
      },
    },
  });
  // Told by the one proxy that matters: the edge, which says whether the browser came by HTTPS.
  provider.proxy = true;
  provider.on('authorization.accepted', endBrowserSession);
  report(provider, options.log);
  return provider;
}

function configuration({ keys, ...options }: ProviderOptions): Configuration {
  return {
    adapter: adapters(options),
    jwks: { keys: [keys.signing] },
    cookies: {
      keys: [keys.cookie],
      names: { session: 'mervare_oauth', interaction: 'mervare_consent', resume: 'mervare_resume' },
      short: { httpOnly: true, sameSite: 'lax', signed: true },
    },
    routes: endpoints,
    scopes: [],
    extraParams: [FLOOR_ADDED],
    claims: {},
    responseTypes: ['code'],
    clientAuthMethods: ['none'],
    clientDefaults: { token_endpoint_auth_method: 'none', id_token_signed_response_alg: 'ES256' },
    pkce: { required: () => true },
    ttl: {
      AccessToken: lifetimes.accessToken,
      AuthorizationCode: lifetimes.code,
      Grant: lifetimes.grant,
      Interaction: lifetimes.interaction,
      RefreshToken: lifetimes.refreshToken,
      Session: lifetimes.interaction,
    },
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    expiresWithSession: async () => false,
    clientBasedCORS: () => true,
    findAccount: async (_ctx, id) => {
      const person = await readPerson(options.db, id);
      return person && { accountId: person.id, claims: async () => ({ sub: person.id }) };
    },
    renderError: async (ctx, out) => {
      ctx.type = 'html';
      ctx.set('content-security-policy', PAGE_POLICY);
      ctx.body = await options.renderError(out.error_description ?? out.error);
    },
    // Without the library's own signal, which would end it earlier.
    fetch: (url) => options.readDocument(new Request(url).url),
  };
}

/**
 * Whether somebody is signed in is the site's matter alone. The library's own session lives for one request: marked as ended,
 * it is neither kept nor put into a cookie.
 */
function endBrowserSession({ oidc }: KoaContextWithOIDC): void {
  Object.assign(oidc.session ?? {}, { destroyed: true });
}
