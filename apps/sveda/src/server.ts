import { randomUUID } from 'node:crypto';
import { listen, type Logger } from '@portolan/http';
import { newId, openStore, type Store } from '@portolan/store';
import { createApp } from './app.ts';
import { inForce } from './config/in-force.ts';
import type { Settings } from './config/settings.ts';
import { appKeys, generatedKey, type AppKeys } from './embed/keys.ts';
import { tokenStore } from './embed/tokens.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';
import { openTools } from './tools/open.ts';
import { validateInput } from './tools/validate.ts';
import { openTurns } from './turn/node.ts';

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
export async function startServer(settings: Settings, address: Address, log: Logger): Promise<SvedaServer> {
  const { dataDir, databaseUrl } = settings;
  const keys = appKeys(settings.appKeys ?? [await generatedKey(dataDir)]);
  const store = await openStore<Tables>({
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    dataDir,
    app: 'sveda',
    migrations,
    log: (message, facts) => log.info(facts, message),
  });
  const node = await openNode(store, settings, keys, address, log);
  const close = async (): Promise<void> => {
    await node.end();
    await store.close();
  };
  try {
    const listener = await listen({ ...address, log, fetch: node.app.fetch });
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

/** The app over an open database, and what this node does besides answering. */
async function openNode(
  store: Store<Tables>,
  { configuration, hostKey }: Settings,
  keys: AppKeys,
  { host }: Address,
  log: Logger,
) {
  const { db } = store;
  const current = inForce(configuration);
  const { contextTokens, policies, instructions, limits } = configuration;
  const now = () => new Date();
  const wording = { contextTokens };
  const admission = {
    db,
    wording,
    node: randomUUID(),
    leaseMs: LEASE_MS,
    now,
    newId: () => newId(Date.now()),
  };
  const turns = await openTurns({
    store,
    admission,
    routeFor: (model) => current.routeFor(model),
    instructions: () => instructions,
    validate: validateInput,
    openTools: (...args) => openTools({ policies: () => policies, contextTokens, log }, ...args),
    newId: randomUUID,
    log,
  });
  const tokens = tokenStore(db, keys);
  const names = new Set(Object.keys(policies));
  const { mintsPerMinute } = limits;
  const embed = {
    hostKey,
    boundTo: host,
    keys,
    tokens,
    policies: () => names,
    mintsPerMinute,
    now,
    newId: randomUUID,
  };
  return {
    app: createApp({
      db,
      configuration,
      log,
      embed,
      turns: { admission, segments: turns.segments, hub: turns.hub, models: () => current.models },
    }),
    async end(): Promise<void> {
      await turns.end(GRACE_MS);
    },
  };
}
