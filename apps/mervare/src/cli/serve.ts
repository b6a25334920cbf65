import { basename } from 'node:path';
import { dataFolder } from '@portolan/cli';
import { announce, createLog, endpointFile, onStop, type Logger } from '@portolan/http';
import { processIdentity } from '@portolan/process';
import type { Config } from '../config.ts';
import { openDatabase } from '../database.ts';
import { servers } from '../mcp/servers.ts';
import { openSecret } from '../secret/site-secret.ts';
import { openSite } from '../site.ts';

/** How long work in flight may take after SIGTERM. */
const GRACE_MS = 10_000;

/** `mervare serve`: opens the database and the port, says where the site is, and ends both at SIGTERM or SIGINT. */
export async function serve(config: Config): Promise<void> {
  await dataFolder(config.dataDir);
  const log = createLog({ name: 'mervare' });
  const database = await openDatabase(config, log);
  const { db, prepare } = database.store;
  const site = await openSecret(config, db)
    .then((secret) => openSite(config, { harbours: database.anonymous, db, prepare, servers, secret, log }))
    .catch(async (error: unknown) => {
      await database.close();
      throw error;
    });
  const announced = announceSite(config.dataDir, site.origin, log);
  onStop(async () => {
    await (await announced)();
    const { cut } = await site.listener.close({ graceMs: GRACE_MS });
    await database.close();
    log.info({ cut }, 'stopped');
  }, log);
  await announced;
  log.info({ origin: site.origin }, 'ready');
}

async function announceSite(folder: string, origin: string, log: Logger): Promise<() => Promise<void>> {
  const self = processIdentity();
  if (!self) throw new Error('This process has no identity.');
  const { pid, startTime } = self;
  const file = await endpointFile(
    folder,
    pid,
    (other) => processIdentity(other.pid)?.startTime === other.startTime,
  );
  if (basename(file) !== 'endpoint.json')
    log.warn(
      { file },
      'endpoint.json is of another node of this data folder; this one says here where it is',
    );
  return announce({ file, facts: { pid, startTime, origin } });
}
