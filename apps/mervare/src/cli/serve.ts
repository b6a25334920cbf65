import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { announce, createLog, onStop } from '@portolan/http';
import { processIdentity } from '@portolan/process';
import { cookieSecret } from '../chat/secret.ts';
import type { Config } from '../config.ts';
import { openDatabase } from '../database.ts';
import { servers } from '../mcp/servers.ts';
import { openSite } from '../site.ts';

/** How long work in flight may take after SIGTERM. */
const GRACE_MS = 10_000;

/** `mervare serve`: opens the database and the port, says where the site is, and ends both at SIGTERM or SIGINT. */
export async function serve(config: Config): Promise<void> {
  const log = createLog({ name: 'mervare' });
  const database = await openDatabase(config, log);
  const site = await openSite(config, {
    harbours: database.anonymous,
    db: database.store.db,
    prepare: database.store.prepare,
    servers,
    cookieSecret: await cookieSecret(database.store.db),
    log,
  }).catch(async (error: unknown) => {
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

async function announceSite(folder: string, origin: string): Promise<() => Promise<void>> {
  const self = processIdentity();
  if (!self) throw new Error('This process has no identity.');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { pid, startTime } = self;
  return announce({ file: join(folder, 'endpoint.json'), facts: { pid, startTime, origin } });
}
