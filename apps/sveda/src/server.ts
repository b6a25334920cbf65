import { randomUUID } from 'node:crypto';
import { listen, type Logger } from '@portolan/http';
import { newId, openStore, type Store } from '@portolan/store';
import { createApp } from './app.ts';
import { live, type Reloading } from './config/live.ts';
import type { Settings } from './config/settings.ts';
import { appKeys, generatedKey, type AppKeys } from './embed/keys.ts';
import { createOccupancy } from './limits/occupancy.ts';
import { throttleStore } from './limits/throttle-store.ts';
import { tokenStore } from './embed/tokens.ts';
import { migrations } from './migrations.ts';
import type { Tables } from './tables.ts';
import { codeIndex } from './tools/builtin/code-index.ts';
import { openTools, type ToolOptions } from './tools/open.ts';
import { allowsPageCall, documentsOf } from './tools/policy.ts';
import { runtimeServers } from './tools/runtime.ts';
import { openValidation } from './tools/validate.ts';
import { verdictStore } from './tools/verdicts.ts';
import { openTurns } from './turn/node.ts';

/** Where the server listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A running server. */
export interface SvedaServer {
  readonly origin: string;
  /** Reads sveda.yaml again: the new one holds, whole, or the old one stays. */
  reload(): Reloading;
  close(): Promise<void>;
}

/** Times of a node, in milliseconds. */
export interface Times {
  /** How long a node may be silent before its turns are taken over. */
  readonly leaseMs: number;
  /** How long work in flight may take at the end. */
  readonly graceMs: number;
  /** Silence of a stream after which a comment goes out. */
  readonly heartbeatMs: number;
}

/** Proxies and phones drop a connection that is silent for 30 to 60 seconds: two heartbeats fit in. */
export const usualTimes: Times = { leaseMs: 15_000, graceMs: 10_000, heartbeatMs: 15_000 };

/** Connections beside those of streams. */
const SPARE_CONNECTIONS = 1_024;

/** Opens the database and the port. Rejects with Misconfigured, or the system's error, such as `EADDRINUSE`. */
export async function startServer(
  settings: Settings,
  address: Address,
  log: Logger,
  times: Times = usualTimes,
): Promise<SvedaServer> {
  const { dataDir, databaseUrl } = settings;
  const keys = appKeys(settings.appKeys ?? [await generatedKey(dataDir)]);
  const store = await openStore<Tables>({
    ...(databaseUrl !== undefined && { url: databaseUrl }),
    dataDir,
    app: 'sveda',
    migrations,
    log: (message, facts) => log.info(facts, message),
  });
  const node = await openNode(store, settings, keys, address, log, times);
  const close = async (): Promise<void> => {
    await node.end();
    await store.close();
  };
  try {
    const connections = settings.configuration.limits.streamsOfNode + SPARE_CONNECTIONS;
    const listener = await listen({ ...address, log, limits: { connections }, fetch: node.app.fetch });
    return {
      origin: listener.origin,
      reload: node.reload,
      async close() {
        await listener.close({ graceMs: times.graceMs });
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
  { configuration, reread, hostKey, adminKey, indexRoot, trustedProxies, databaseUrl }: Settings,
  keys: AppKeys,
  { host }: Address,
  log: Logger,
  { leaseMs, graceMs, heartbeatMs }: Times,
) {
  const { db } = store;
  const config = live(configuration, reread);
  const inForce = () => config.current().configuration;
  const now = () => new Date();
  // A reload changes it.
  const wording = {
    get contextTokens() {
      return inForce().contextTokens;
    },
  };
  const admission = {
    db,
    wording,
    node: randomUUID(),
    leaseMs,
    now,
    newId: () => newId(Date.now()),
  };
  const runtime = runtimeServers(log, now);
  const code = indexRoot === undefined ? undefined : codeIndex(indexRoot, now);
  const tools: ToolOptions = {
    db,
    policies: () => inForce().policies,
    servers: () => inForce().mcp.mcpServers,
    ground: () => ({ code, web: inForce().web }),
    contextTokens: () => inForce().contextTokens,
    runtime,
    verdicts: verdictStore(db, now),
    log,
  };
  const turns = await openTurns({
    store,
    admission,
    routeFor: (model) => config.current().routeFor(model),
    instructions: () => inForce().instructions,
    openValidation: () => openValidation(() => process.cpuUsage().user / 1_000),
    openTools: (...args) => openTools(tools, ...args),
    newId: randomUUID,
    log,
  });
  const tokens = tokenStore(db, keys);
  const forgetting = setInterval(() => {
    tokens.forget(now()).catch((error: unknown) => log.warn({ err: error }, 'tokens not forgotten'));
  }, leaseMs);
  // One node counts in its own memory; several count together.
  const throttles = databaseUrl === undefined ? undefined : throttleStore(db);
  const embed = {
    hostKey,
    boundTo: host,
    keys,
    tokens,
    policies: () => new Set(Object.keys(inForce().policies)),
    mintsPerMinute: () => inForce().limits.mintsPerMinute,
    throttles,
    now,
    newId: randomUUID,
  };
  return {
    app: createApp({
      db,
      live: config,
      adminKey,
      log,
      embed,
      trustedProxies,
      builtin: () => ({ web: inForce().web !== undefined, code: code !== undefined }),
      throttles,
      turns: {
        admission,
        segments: turns.segments,
        hub: turns.hub,
        heartbeatMs,
        models: () => config.current().models,
        mayRun: (visitor, call) => allowsPageCall(documentsOf(visitor, inForce().policies), call),
        running: createOccupancy(),
        mostRunning: () => ({ ofOne: inForce().limits.turnsOfVisitor, inAll: inForce().limits.turnsOfNode }),
      },
    }),
    reload: () => config.reload(),
    async end(): Promise<void> {
      clearInterval(forgetting);
      await turns.end(graceMs);
      await runtime.close();
    },
  };
}
