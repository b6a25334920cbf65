import { listen, publicFetch, Registry, type Listener, type Logger } from '@portolan/http';
import type { Store } from '@portolan/store';
import type { Kysely } from 'kysely';
import { createApp } from './app.ts';
import { openChat, type ChatOptions } from './chat/session.ts';
import type { Config } from './config.ts';
import type { PublicTables } from './harbour/tables.ts';
import { lookups } from './mcp/callers/lookups.ts';
import type { Server } from './mcp/servers.ts';
import { keptSizes } from './mcp/sizes.ts';
import { openOauth } from './oauth/open.tsx';
import { readAssets } from './pages/assets.ts';
import { ensureSuperAdmin } from './people/accounts.ts';
import { registerAgents } from './people/service-agents.ts';
import { release } from './release.ts';
import type { SiteSecret } from './secret/site-secret.ts';
import type { SiteTables } from './tables.ts';

/** The site on its port. */
export interface Site {
  /** Where visitors reach it. */
  readonly origin: string;
  readonly listener: Listener;
}

interface Parts {
  /** The register as anonymous callers may read it. */
  readonly harbours: Kysely<PublicTables>;
  /** The site's own tables. */
  readonly db: Kysely<SiteTables>;
  readonly prepare: Store<SiteTables>['prepare'];
  readonly servers: readonly Server[];
  readonly secret: SiteSecret;
  /** What is measured beside the edge's own; nothing unless given. */
  readonly metrics?: Registry;
  readonly log: Logger;
  /** Epoch milliseconds; the machine's clock unless given. */
  readonly now?: () => number;
  /** Fetches what somebody else chose; from the open internet only unless given. */
  readonly fetchPublic?: typeof publicFetch;
}

/**
 * Opens the port, then makes the app: it needs the origin, and a free port is known only then. Leaves no port open where that fails.
 * Rejects with the system's error, for example `EADDRINUSE`.
 */
export async function openSite(config: Config, parts: Parts): Promise<Site> {
  const { db, log, now = Date.now } = parts;
  const names = config.tokens.map(({ name }) => name);
  await registerAgents(db, names, now());
  if (config.adminPassword !== undefined) await makeFirstAdmin(db, config.adminPassword, now());
  let app: App | undefined;
  const listener = await listen({
    host: config.host,
    port: config.port,
    log,
    fetch: (request, bindings) => app?.fetch(request, bindings) ?? new Response('Starting', { status: 503 }),
  });
  try {
    const origin = config.origin ?? listener.origin;
    const made = await makeApp(config, parts, { origin, hosts: hostsOf(origin, listener) });
    app = made.app;
    const close: Listener['close'] = (options) => {
      made.close();
      return listener.close(options);
    };
    return { origin, listener: { ...listener, close } };
  } catch (error) {
    await listener.close({ graceMs: 0 });
    throw error;
  }
}

type App = ReturnType<typeof createApp>;

/** The app at its address, and how to end what it does by itself. */
async function makeApp(
  config: Config,
  { harbours, db, prepare, servers, secret, log, ...parts }: Parts,
  { origin, hosts }: { readonly origin: string; readonly hosts: readonly string[] },
): Promise<{ readonly app: App; readonly close: () => void }> {
  const { metrics = new Registry(), now = Date.now, fetchPublic = publicFetch } = parts;
  const { tokens, trustedProxies, logbookToken, mailInboundToken, clientNetworks, sveda } = config;
  const assets = readAssets();
  const deps = { harbours, db, origin, asset: assets.address, previewKey: secret('previews'), now };
  const site = { origin, asset: assets.address, sveda };
  const oauth = await openOauth({ servers, deps, site, secret, clientNetworks, fetchPublic, log });
  const app = createApp({
    deps,
    servers,
    secret,
    credentials: { lookups: lookups({ db, prepare }), tokens, now },
    sizes: keptSizes(),
    site,
    assets,
    release,
    hosts,
    trustedProxies,
    chat: chatOf(config, { deps, cookieSecret: secret('visitors').toString('base64url'), log }),
    logbookToken,
    mailInboundToken,
    metrics,
    oauth: oauth.routes,
    log,
  });
  return { app, close: oauth.close };
}

/** The account that an operator who names only a password signs in with. */
function makeFirstAdmin(db: Parts['db'], password: string, now: number): Promise<void> {
  const account = { email: 'admin@localhost', name: 'Admin', password };
  return ensureSuperAdmin(db, account, { by: { kind: 'command', name: 'start' }, now });
}

function chatOf({ sveda, hostKey }: Config, rest: Pick<ChatOptions, 'deps' | 'cookieSecret' | 'log'>) {
  return sveda === undefined || hostKey === undefined ? undefined : openChat({ sveda, hostKey, ...rest });
}

/** The names under which the site answers: its own, and those of this machine for development. */
function hostsOf(origin: string, { port }: Listener): string[] {
  const here = ['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`);
  return [new URL(origin).host, ...here];
}
