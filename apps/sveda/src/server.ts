import { randomUUID } from 'node:crypto';
import { openRoute } from '@portolan/agent';
import { listen, type Logger } from '@portolan/http';

import { newId, openStore } from '@portolan/store';
import { createApp } from './app.ts';
import type { Settings } from './config/settings.ts';
import { appKeys, generatedKey } from './embed/keys.ts';
import { tokenStore } from './embed/tokens.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';
import { openTools } from './tools/open.ts';
import { validateInput } from './tools/validate.ts';
import { createHub } from './turn/hub.ts';
import { STOP_CHANNEL } from './turn/routes.ts';
import { createSegments } from './turn/segments.ts';
import { TURN_CHANNEL } from './turn/writer.ts';

/** Where the server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A running server. */
export interface SvedaServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** How long a node may be silent before its turns are taken over. */
const LEASE_MS = 15_000;

/** How long work in flight may take at the end. */
const GRACE_MS = 10_000;

/** Opens the database and the port. Rejects with Misconfigured, or the system's error, such as `EADDRINUSE`. */
export async function startServer(
  settings: Settings,
  { host, port }: Address,
  log: Logger,
): Promise<SvedaServer> {
  const { configuration, dataDir, databaseUrl, hostKey } = settings;
  const keys = appKeys(settings.appKeys ?? [await generatedKey(dataDir)]);
  const store = await openStore<Tables>({
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    dataDir,
    app: 'sveda',
    migrations,
    log: (message, facts) => log.info(facts, message),
  });
  const { db } = store;
  const now = () => new Date();
  const makeId = () => newId(Date.now());
  const hub = createHub();
  const { contextTokens, policies, models, instructions } = configuration;
  const segments = createSegments({
    db,
    hub,
    route: openRoute(models),
    instructions,
    validate: validateInput,
    openTools: (...args) => openTools({ policies: () => policies, contextTokens, log }, ...args),
    leaseMs: LEASE_MS,
    now,
    newId: randomUUID,
    log,
  });
  const wording = { nameOf: (name: string) => name, contextTokens };
  const app = createApp({
    db,
    configuration,
    log,
    embed: {
      hostKey,
      boundTo: host,
      keys,
      tokens: tokenStore(db, keys),
      policies: () => new Set(Object.keys(policies)),
      mintsPerMinute: configuration.limits.mintsPerMinute,
      now,
      newId: randomUUID,
    },
    turns: {
      admission: { db, wording, node: randomUUID(), leaseMs: LEASE_MS, now, newId: makeId },
      segments,
      hub,
      models: new Set(),
    },
  });
  await store.listen(TURN_CHANNEL, (turnId) => hub.hint(turnId));
  await store.listen(STOP_CHANNEL, (turnId) => turnId !== undefined && segments.stop(turnId));
  const close = async (): Promise<void> => {
    await segments.close(GRACE_MS);
    await store.close();
  };
  try {
    const listener = await listen({ host, port, log, fetch: app.fetch });
    return {
      origin: listener.origin,
      async close() {
        await listener.close({ graceMs: GRACE_MS });
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
