import { byAddress, HttpProblem, throttle, type EdgeEnv, type ThrottleStore } from '@portolan/http';
import { corsHeaders, preflightHeaders } from '@portolan/mcp/serve';
import { Hono, type Context, type MiddlewareHandler } from 'hono';
import type { Provider } from 'oidc-provider';
import { isStorable, NOT_STORABLE } from '../text/storable.ts';
import { clientMetadata } from './client-metadata.ts';
import { forward } from './forward.ts';
import { lifetimes } from './lifetimes.ts';
import { resourceDocuments, serverDocument } from './metadata.ts';
import { canonicalAuthorization, canonicalTokenRequest } from './parameters.ts';
import { endpoints } from './endpoints.ts';
import type { Resource } from './resources.ts';

export interface ProtocolOptions {
  readonly provider: Provider;
  readonly resources: readonly Resource[];
  readonly origin: string;
  /** Where requests are counted over all nodes. */
  readonly tries: ThrottleStore;
}

/** Requests that one address may make: a person behind a shared address must not be locked out by a few others. */
const limits = {
  register: { name: 'oauth-register', points: 100, perSeconds: 600, key: byAddress },
  authorize: { name: 'oauth-authorize', points: 300, perSeconds: 60, key: byAddress },
  /** Of requests that wait for a person at the same time. */
  pending: { name: 'oauth-pending', points: 1000, perSeconds: lifetimes.interaction, key: byAddress },
  /** Of both endpoints. Who presents a client id that is an address makes us read it. */
  token: { name: 'oauth-token', points: 600, perSeconds: 60, key: byAddress },
} as const;

/** What clients call: the well-known documents and the endpoints of the authorization server. All answers are JSON. */
export function protocolRoutes({ provider, resources, origin, tries }: ProtocolOptions): Hono<EdgeEnv> {
  const routes = new Hono<EdgeEnv>();
  const limit = (of: keyof typeof limits) => throttle({ ...limits[of], store: tries });
  const metadata = serverDocument(resources, origin);
  const documents = new Map([
    ...resourceDocuments(resources, origin),
    ['/.well-known/oauth-authorization-server', metadata] as const,
    ['/.well-known/openid-configuration', metadata] as const,
  ]);
  for (const [path, document] of documents)
    for (const address of [path, `${path}/`])
      routes
        .use(address, openToPages(['GET']))
        .get(address, (c) => c.json(document, 200, { 'cache-control': 'public, max-age=300' }));

  routes.use(endpoints.jwks, openToPages(['GET'])).get(endpoints.jwks, (c) => forward(c, provider));

  routes.get(endpoints.authorization, limit('authorize'), limit('pending'), (c) => {
    const query = canonicalAuthorization(storable(new URL(c.req.url).searchParams), resources);
    return forward(c, provider, { url: `${endpoints.authorization}?${query.toString()}` });
  });
  routes.get(`${endpoints.authorization}/:uid`, (c) => forward(c, provider));

  routes
    .use(endpoints.registration, openToPages(['POST']))
    .post(endpoints.registration, limit('register'), async (c) => {
      const metadata = clientMetadata(await readMetadata(c));
      if ('error' in metadata) return c.json(metadata, 400);
      return forward(c, provider, { body: { type: 'application/json', text: JSON.stringify(metadata) } });
    });

  const limited = limit('token');
  for (const path of [endpoints.token, endpoints.revocation])
    routes.use(path, openToPages(['POST'])).post(path, limited, async (c) => {
      const form = canonicalTokenRequest(storable(new URLSearchParams(await readFormText(c))), resources);
      const body = { type: 'application/x-www-form-urlencoded', text: form.toString() };
      return forward(c, provider, { body });
    });
  return routes;
}

/** Lets pages of other sites call: nothing here looks at a cookie. A preflight needs no credential. */
function openToPages(methods: readonly string[]): MiddlewareHandler<EdgeEnv> {
  return async (c, next) => {
    if (c.req.method === 'OPTIONS') {
      const asked = c.req.header('access-control-request-headers') ?? null;
      return c.body(null, 204, { ...preflightHeaders(methods, asked) });
    }
    for (const [name, value] of Object.entries(corsHeaders)) c.env?.outgoing?.setHeader(name, value);
    await next();
    return undefined;
  };
}

/** Parameters with text that can be looked up and kept. Throws a problem for others, which no client means. */
function storable(parameters: URLSearchParams): URLSearchParams {
  if ([...parameters.values()].every(isStorable)) return parameters;
  throw new HttpProblem(400, 'invalid_request', `A parameter ${NOT_STORABLE}.`);
}

/** The body of a registration, whatever its content type: clients without one are too many. */
async function readMetadata(c: Context<EdgeEnv>): Promise<unknown> {
  try {
    return JSON.parse(await c.req.text());
  } catch {
    return undefined;
  }
}

async function readFormText(c: Context<EdgeEnv>): Promise<string> {
  const type = c.req.header('content-type') ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(?:;|$)/i.test(type))
    throw new HttpProblem(400, 'invalid_request', 'Send a form: application/x-www-form-urlencoded.');
  return c.req.text();
}
