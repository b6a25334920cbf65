import { randomUUID } from 'node:crypto';
import type { Environment } from '@portolan/cli';
import type { Logger } from '@portolan/http';
import { connect, ConnectionFailure, LIMITS } from '@portolan/mcp/connect';
import type { ProjectFolder } from '../project/folder.ts';
import { release } from '../release.ts';
import type { Connections } from './connections.ts';
import { definitionOf, rootsOf, type McpServer } from './definition.ts';
import { readDynamic, writeDynamic } from './dynamic.ts';
import { newManager } from './manager.ts';
import { newVerdicts, readVerdicts, writeVerdicts, type Verdicts } from './verdicts.ts';
import type { World } from './world.ts';

/** Milliseconds for a whole start, for a refresh with its wait, and for a call from its dispatch. */
export const BUDGETS = { start: 180_000, refresh: 30_000, call: LIMITS.call } as const;

/** What the connections of a project are opened with. */
export interface ConnectionsOptions {
  readonly folder: ProjectFolder;
  /** The servers of saivage.yaml. */
  readonly servers: Readonly<Record<string, McpServer>>;
  /** Saivage's environment, its secrets taken out: a few of its values reach a child. */
  readonly environment: Environment;
  /** True for an address of Saivage's own listeners. */
  readonly isOurs: (address: string, port: number) => boolean;
  readonly log: Logger;
  readonly now: () => Date;
  readonly budgets?: Readonly<Record<keyof typeof BUDGETS, number>>;
}

/**
 * Opens the connections of a project. Nothing is launched. Throws `Misconfigured` where the file of dynamic definitions
 * is damaged.
 */
export function openConnections(options: ConnectionsOptions): Connections {
  const { folder, servers, log, now, budgets = BUDGETS } = options;
  return newManager({
    servers,
    dynamic: readDynamic(folder),
    keep: (dynamic) => writeDynamic(folder, dynamic),
    world: {
      open: opener(options, budgets.start),
      budgets,
      verdicts: keptVerdicts(options),
      now,
      newId: randomUUID,
      ...reporter(log),
    },
  });
}

/** A verdict that cannot be kept is one to ask for again, and nothing worse. */
function keptVerdicts({ folder, log, now }: ConnectionsOptions): Verdicts {
  const keep: Parameters<typeof newVerdicts>[1] = (verdicts) => {
    try {
      writeVerdicts(folder, verdicts);
    } catch (error) {
      log.warn({ err: error }, 'the revisions of MCP servers could not be kept');
    }
  };
  return newVerdicts(readVerdicts(folder), keep, now);
}

function opener({ folder, environment, isOurs }: ConnectionsOptions, budget: number): World['open'] {
  const { root } = folder;
  return async ({ server }, { signal, known }) =>
    connect(definitionOf(server, { root, environment }), {
      budget,
      signal,
      isOurs,
      clientInfo: { name: 'saivage', version: release },
      ...(server.transport === 'stdio' && { roots: rootsOf(server, root) }),
      ...(known && { known }),
    });
}

/** The end of a failed start's stderr is told here and nowhere else. */
function reporter(log: Logger): Pick<World, 'report' | 'called'> {
  return {
    report(serverName, error) {
      if (!(error instanceof ConnectionFailure)) {
        log.error({ err: error, mcpServer: serverName }, 'an MCP server broke');
        return;
      }
      const { code, message, phase, stderr, containment } = error;
      const level = code === 'not_contained' ? 'error' : 'warn';
      log[level]({ mcpServer: serverName, code, phase, stderr, containment }, message);
    },
    called: ({ serverName, ...facts }) =>
      log.info({ mcpServer: serverName, ...facts }, 'an MCP tool was called'),
  };
}
