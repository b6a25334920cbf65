import { edge, type EdgeEnv, type Logger, type Registry } from '@portolan/http';
import type { Hono, MiddlewareHandler } from 'hono';
import { every } from 'hono/combine';
import { logbookRoutes } from './api/logbook.ts';
import { INBOUND, inboundDoor, inboundRoutes, MESSAGE_LIMIT } from './api/mail.ts';
import type { Chat } from './chat/session.ts';
import type { Credentials } from './mcp/callers/resolve.ts';
import { credentialDoor } from './mcp/door.ts';
import { mcpRoutes } from './mcp/mount.ts';
import type { Server } from './mcp/servers.ts';
import type { SiteSecret } from './secret/site-secret.ts';
import type { Sizes } from './mcp/sizes.ts';
import type { Deps } from './mcp/vocabulary.ts';
import type { Assets } from './pages/assets.ts';
import type { Site } from './pages/layout.tsx';
import { answerRoutes } from './pages/answer/routes.tsx';
import { peopleRoutes } from './pages/people/routes.tsx';
import { pageRoutes } from './pages/routes.tsx';
import { unsubscribeRoutes } from './pages/unsubscribe.tsx';

/** Everything that the site is made of. */
export interface AppOptions {
  readonly deps: Deps;
  readonly servers: readonly Server[];
  readonly credentials: Credentials;
  readonly secret: SiteSecret;
  readonly sizes: Sizes;
  /** What every page needs to know. */
  readonly site: Site;
  readonly assets: Assets;
  readonly release: string;
  /** Names under which the site may be called. */
  readonly hosts: readonly string[];
  readonly trustedProxies: readonly string[];
  /** The chat of the pages, where the site has one. */
  readonly chat: Chat | undefined;
  /** Opens the door of the observers of harbour traffic, where there is one. */
  readonly logbookToken: string | undefined;
  /** Opens the door of the mail server that hands in what comes back, where there is one. */
  readonly mailInboundToken: string | undefined;
  /** The authorization server with its pages. */
  readonly oauth: Hono<EdgeEnv>;
  /** What is measured beside the edge's own. */
  readonly metrics: Registry;
  readonly log: Logger;
}

/** Bytes of a request body, but for that of a mail. The largest that is expected is a tool call. */
const BODY_LIMIT = 1024 * 1024;

/** The whole site on one fetch handler. */
export function createApp(options: AppOptions): ReturnType<typeof edge> {
  const { deps, servers, sizes, site, assets, hosts, trustedProxies, chat, metrics, log } = options;
  const { secret, mailInboundToken } = options;
  const { db, now } = deps;
  const app = edge({
    name: 'mervare',
    bodyLimit: (path) => (path === INBOUND && mailInboundToken !== undefined ? MESSAGE_LIMIT : BODY_LIMIT),
    hosts,
    trustedProxies,
    door: every(
      credentialDoor({ servers, origin: deps.origin, credentials: options.credentials }),
      inboundDoor(mailInboundToken),
    ),
    metrics,
    log,
    ready: () => faults(deps),
  });
  app.use(ownScheme(deps.origin));
  app.route('/', mcpRoutes(options));
  app.route('/', pageRoutes({ deps, servers, sizes, site }));
  app.route('/', answerRoutes({ deps, site }));
  app.route('/', peopleRoutes({ deps, site, secret: options.secret, endChats: chat?.end }));
  if (chat) app.route('/', chat.routes);
  if (options.logbookToken !== undefined)
    app.route('/', logbookRoutes({ db: deps.db, token: options.logbookToken, now: deps.now }));
  if (mailInboundToken !== undefined) app.route('/', inboundRoutes({ db, secret, now }));
  app.route('/', unsubscribeRoutes({ db, site, secret, now }));
  app.route('/', options.oauth);
  app.route('/', assets.routes);
  return app;
}

/**
 * Who came under a name that is served by HTTPS came by HTTPS, also through a proxy that nobody named as trusted: cookies and
 * the way back from a consent must not go over plain HTTP because of that.
 */
function ownScheme(origin: string): MiddlewareHandler<EdgeEnv> {
  const { host, protocol } = new URL(origin);
  return async (c, next) => {
    const client = c.get('client');
    if (protocol === 'https:' && client.host === host) c.set('client', { ...client, scheme: 'https' });
    await next();
  };
}

/** What keeps the site from answering now. */
async function faults({ harbours }: Deps) {
  try {
    await harbours.selectFrom('public_harbour').select('locode').limit(1).execute();
    return [];
  } catch {
    return [{ error: 'database', message: 'The database does not answer.' }];
  }
}
