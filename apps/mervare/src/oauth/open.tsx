import type { EdgeEnv, Logger, publicFetch } from '@portolan/http';
import { Hono } from 'hono';
import { html as markup } from 'hono/html';
import type { Server } from '../mcp/servers.ts';
import type { Deps } from '../mcp/vocabulary.ts';
import type { Site } from '../pages/layout.tsx';
import { triesIn } from '../people/tries.ts';
import type { SiteSecret } from '../secret/site-secret.ts';
import { accountRoutes } from './account.tsx';
import { documentReader } from './client-document.ts';
import { sweepOauth } from './clients.ts';
import { RefusedPage } from './consent-page.tsx';
import { consentRoutes } from './consent.tsx';
import { keysOf } from './keys.ts';
import { createProvider } from './provider.ts';
import { resourcesOf } from './resources.ts';
import { protocolRoutes } from './routes.ts';

export interface OauthOptions {
  readonly servers: readonly Server[];
  readonly deps: Deps;
  readonly site: Site;
  readonly secret: SiteSecret;
  /** Networks of client documents that count like public addresses. */
  readonly clientNetworks: readonly string[];
  readonly log: Logger;
  readonly fetchPublic: typeof publicFetch;
}

/** The authorization server with its pages. */
export interface Oauth {
  readonly routes: Hono<EdgeEnv>;
  /** Ends the regular sweep. */
  readonly close: () => void;
}

const SWEEP_EVERY_MS = 300_000;

/** Opens the authorization server on the site's tables. */
export async function openOauth(options: OauthOptions): Promise<Oauth> {
  const { servers, deps, site, secret, clientNetworks, log, fetchPublic } = options;
  const { origin } = deps;
  const resources = resourcesOf(servers, origin);
  const provider = await createProvider({
    ...deps,
    resources,
    keys: keysOf(secret),
    readDocument: documentReader(fetchPublic, clientNetworks, log),
    renderError: async (description) =>
      String(await markup`<!doctype html>${(<RefusedPage {...{ site, description }} />)}`),
    log,
  });
  const routes = new Hono<EdgeEnv>()
    .route('/', protocolRoutes({ provider, resources, origin, tries: triesIn(deps.db) }))
    .route('/', consentRoutes({ provider, resources, deps, site }))
    .route('/', accountRoutes({ deps, site }));
  const timer = setInterval(() => {
    sweepOauth(deps).catch((err: unknown) => log.error({ err }, 'sweep of the authorization server failed'));
  }, SWEEP_EVERY_MS).unref();
  return { routes, close: () => clearInterval(timer) };
}
