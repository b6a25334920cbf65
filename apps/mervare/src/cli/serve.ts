import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { announce, createLog, listen, onStop, type Listener, type Logger } from '@portolan/http';
import { processIdentity } from '@portolan/process';
import { createApp } from '../app.ts';
import type { Config } from '../config.ts';
import { openDatabase, type Database } from '../database.ts';
import { servers } from '../mcp/servers.ts';
import { keptSizes } from '../mcp/sizes.ts';
import { readAssets } from '../pages/assets.ts';
import { release } from '../release.ts';

/** How long work in flight may take after SIGTERM. */
const GRACE_MS = 10_000;

/** `mervare serve`: opens the database and the port, says where the site is, and ends both at SIGTERM or SIGINT. */
export async function serve(config: Config): Promise<void> {
  const log = createLog({ name: 'mervare' });
  const database = await openDatabase(config, log);
  const site = await openSite(config, database, log).catch(async (error: unknown) => {
    await database.close();
    throw error;
  });
  const withdraw = await announceSite(config.dataDir, site.origin);
  log.info({ origin: site.origin }, 'ready');
  onStop(async () => {
    await withdraw();
    const { cut } = await site.listener.close({ graceMs: GRACE_MS });
    await database.close();
    log.info({ cut }, 'stopped');
  }, log);
}

/** The port is opened before the app is made, because the app needs the origin and a free port is known only then. */
async function openSite(config: Config, database: Database, log: Logger) {
  let app: ReturnType<typeof createApp> | undefined;
  const listener = await listen({
    host: config.host,
    port: config.port,
    log,
    fetch: (request, bindings) => app?.fetch(request, bindings) ?? new Response('Starting', { status: 503 }),
  });
  const origin = config.origin ?? listener.origin;
  app = createApp({
    deps: { harbours: database.anonymous, origin },
    servers,
    sizes: keptSizes(),
    assets: readAssets(),
    release,
    hosts: hostsOf(origin, listener),
    trustedProxies: config.trustedProxies,
    log,
  });
  return { origin, listener };
}

/** The names under which the site answers: its own, and those of this machine for health checks and development. */
function hostsOf(origin: string, { port }: Listener): string[] {
  return [new URL(origin).host, ...['localhost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`)];
}

async function announceSite(folder: string, origin: string): Promise<() => Promise<void>> {
  const self = processIdentity();
  if (!self) throw new Error('This process has no identity.');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { pid, startTime } = self;
  return announce({ file: join(folder, 'endpoint.json'), facts: { pid, startTime, origin } });
}
