import { randomUUID } from 'node:crypto';
import type { Route } from '@portolan/agent';
import type { Environment } from '@portolan/cli';
import type { ListenOptions, Logger } from '@portolan/http';
import { newId } from '@portolan/store';
import type { Kysely } from 'kysely';
import { openAgents, type Agent } from './agents/agent.ts';
import { openAnalyst } from './analyst/open.ts';
import type { AnalystSettings } from './analyst/settings.ts';
import { openOperator } from './api/open.ts';
import { openCommands } from './commands/commands.ts';
import type { OperatorAddress } from './config/address.ts';
import { redactedYaml } from './config/redact.ts';
import type { Secrets } from './config/secrets.ts';
import type { Connections } from './connections/connections.ts';
import { openConnections } from './connections/open.ts';
import { isOwnListener } from './connections/own.ts';
import { projectFiles } from './files/project-files.ts';
import type { Operation, OperationDeps } from './operations/operation.ts';
import type { Project } from './project/open.ts';
import { ledger, type ReceiptTables } from './receipts/ledger.ts';
import { observer } from './runtime/observation.ts';

/** Everything that one server of a project is made of. */
export interface ServerOptions {
  readonly project: Project;
  readonly secrets: Secrets;
  readonly address: OperatorAddress;
  /** Undefined in the internal mode: then no Analyst port is opened. */
  readonly analyst: AnalystSettings | undefined;
  readonly operations: readonly Operation[];
  /** The opened models of agents, by the name of their route. */
  readonly routes: ReadonlyMap<string, Route>;
  /** Saivage's environment without its secrets: a few of its values reach the MCP servers. */
  readonly environment: Environment;
  readonly log: Logger;
  /** The open database. It outlives the server: work that is joined still writes its receipts. */
  readonly db: Kysely<ReceiptTables>;
  readonly now: () => Date;
  /** Bounds of the Analyst listener, where they are not the usual ones. */
  readonly limits?: ListenOptions['limits'];
}

/** A server that takes requests. */
export interface RunningServer {
  readonly origin: string;
  readonly analystUrl: string | undefined;
  /** The configured agents, by name. */
  readonly agents: ReadonlyMap<string, Agent>;
  /** Closes admission at once, then waits for all admitted work. */
  close(): Promise<void>;
}

/** Milliseconds that work may take after the end was asked for: as long as a call may take at all. */
const JOIN_MS = 900_000;

/**
 * Opens the listeners of a project whose lock this process holds, then lets the MCP servers start that start by
 * themselves. Ready it is only when those are: see `/health/ready`.
 */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { project, db, analyst, now } = options;
  const receipts = ledger(db, now);
  await receipts.tidy();
  const observe = observer(project.identity, analyst, now);
  const origins: string[] = [];
  const connections = connectionsOf(options, origins);
  const commands = openCommands({
    root: project.folder.root,
    work: project.folder.work,
    environment: options.environment,
    now,
    newId: () => newId(now().getTime()),
  });
  const deps = {
    files: projectFiles(project.folder.root),
    configuration: redactedYaml(project.configuration),
    observe,
    commands,
    connections,
  };
  const agents = agentsOf(options, deps);
  const parts = { ...options, ledger: receipts, deps };
  const open: Closable[] = [{ close: () => connections.close() }, { close: () => commands.close() }];
  try {
    const operator = await openOperator(parts);
    open.push(operator);
    origins.push(operator.origin);
    const external = analyst && (await openAnalyst(analyst, parts));
    if (external) {
      open.push(external.listener);
      origins.push(external.url);
    }
    void connections.autostart();
    return { origin: operator.origin, analystUrl: external?.url, agents, close: () => closeAll(open) };
  } catch (error) {
    await closeAll(open);
    throw error;
  }
}

/** What ends with the server. */
interface Closable {
  close(options: { readonly graceMs: number }): Promise<unknown>;
}

function connectionsOf(
  { project: { folder, configuration }, environment, log, now }: ServerOptions,
  origins: readonly string[],
): Connections {
  return openConnections({
    folder,
    servers: configuration.mcpServers,
    environment,
    isOurs: (address, port) => isOwnListener(origins, address, port),
    log,
    now,
  });
}

function agentsOf(
  { project: { configuration }, routes, operations, log }: ServerOptions,
  deps: OperationDeps,
): ReadonlyMap<string, Agent> {
  return openAgents({
    configuration,
    routes,
    operations,
    deps,
    newId: randomUUID,
    observe: (error, subject) => log.error({ err: error, subject }, 'an agent met an error'),
  });
}

/** Everything is closed, whatever becomes of the others; then the first failure is told. */
async function closeAll(all: readonly Closable[]): Promise<void> {
  const closed = await Promise.allSettled(all.map((one) => one.close({ graceMs: JOIN_MS })));
  for (const one of closed) if (one.status === 'rejected') throw one.reason;
}
