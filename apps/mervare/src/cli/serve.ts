import { dataFolder } from '@portolan/cli';
import { announceNode, createLog, onStop, Registry } from '@portolan/http';
import { processIdentity } from '@portolan/process';
import type { Config } from '../config.ts';
import { openDatabase, type Database } from '../database.ts';
import { openMail, type MailParts } from '../mail/open.ts';
import { servers } from '../mcp/servers.ts';
import { openSecret } from '../secret/site-secret.ts';
import { openSite } from '../site.ts';
import { startDispatch } from '../survey/dispatch.ts';
import { nodeName, type Loop } from '../work/loop.ts';

/** How long work in flight may take after SIGTERM. */
const GRACE_MS = 10_000;

/** `mervare serve`: opens the database and the port, says where the site is, and ends both at SIGTERM or SIGINT. */
export async function serve(config: Config): Promise<void> {
  await dataFolder(config.dataDir);
  const log = createLog({ name: 'mervare' });
  const database = await openDatabase(config, log);
  const { store, anonymous: harbours } = database;
  const { db, prepare } = store;
  const metrics = new Registry();
  const secret = await orEnd(openSecret(config, db), () => database.close());
  const parts = { harbours, db, prepare, servers, secret, metrics, log };
  const site = await orEnd(openSite(config, parts), () => database.close());
  const background = await orEnd(
    startBackground(config, { store, secret, metrics, log, origin: site.origin }),
    async () => {
      await site.listener.close({ graceMs: 0 });
      await database.close();
    },
  );
  const announced = announceNode({
    folder: config.dataDir,
    origin: site.origin,
    identify: processIdentity,
    log,
  });
  onStop(async () => {
    const how = { graceMs: GRACE_MS };
    // No new work is begun from this moment on; requests are still answered until nobody finds the node any more.
    const finished = Promise.all(background.map((loop) => loop.close(how)));
    const withdraw = await announced;
    await withdraw();
    const { cut } = await site.listener.close(how);
    await finished;
    await database.close();
    log.info({ cut }, 'stopped');
  }, log);
  await announced;
  log.info({ origin: site.origin }, 'ready');
}

/** What was opened before ends with whatever fails after it. */
async function orEnd<Opened>(opening: Promise<Opened>, end: () => Promise<void>): Promise<Opened> {
  return opening.catch(async (error: unknown) => {
    await end();
    throw error;
  });
}

interface BackgroundParts extends Omit<MailParts, 'db' | 'listen' | 'now'> {
  readonly store: Database['store'];
}

/** What every node does beside answering: it makes the letters of batches, and sends letters. */
async function startBackground(
  config: Config,
  { store: { db, listen }, ...parts }: BackgroundParts,
): Promise<readonly Loop[]> {
  const now = Date.now;
  const { origin, log } = parts;
  const dispatch = await startDispatch({
    db,
    listen,
    origin,
    worker: nodeName(),
    now,
    log,
  });
  return [dispatch, await openMail(config, { db, listen, now, ...parts })];
}
