import { newAutostart } from './autostart.ts';
import type { Connections } from './connections.ts';
import { dynamicDefinition, type McpServer } from './definition.ts';
import { dynamicDefinitions } from './definitions.ts';
import type { DynamicServers } from './dynamic.ts';
import { call, refresh } from './exchange.ts';
import { restart, start, stop } from './lifecycle.ts';
import { newOwners } from './owners.ts';
import { toolsOf, viewOf } from './view.ts';
import type { World } from './world.ts';

/** What is managed. */
export interface ManagerOptions {
  readonly servers: Readonly<Record<string, McpServer>>;
  readonly dynamic: DynamicServers;
  /** Keeps all dynamic definitions, whole or not at all. */
  readonly keep: (dynamic: DynamicServers) => void;
  readonly world: World;
}

/** The connections of a project over the owners of its servers. Nothing is launched. */
export function newManager({ servers, dynamic, keep, world }: ManagerOptions): Connections {
  const owners = newOwners(world, (serverName) => autostart.came(serverName));
  const early = Object.entries(servers).filter(([, { autostart, disabled }]) => autostart && !disabled);
  const autostart = newAutostart(
    early.map(([name]) => name),
    (serverName) => start(owners.of(serverName), undefined),
  );
  for (const [name, server] of Object.entries(servers)) owners.add(name, { source: 'yaml', server });
  for (const [name, connection] of Object.entries(dynamic)) owners.add(name, dynamicDefinition(connection));

  return {
    list: () => owners.all().map(viewOf),
    view: (serverName) => viewOf(owners.of(serverName)),
    ...dynamicDefinitions(owners, dynamic, keep),
    start: async (serverName, { signal } = {}) => start(owners.of(serverName), signal),
    stop: async (serverName) => stop(owners.of(serverName)),
    restart: async (serverName, { signal } = {}) => restart(owners.of(serverName), signal),
    refresh: async ({ serverName, bindingId }, { signal } = {}) =>
      refresh(owners.of(serverName), world, bindingId, signal),
    tools: (serverName) => toolsOf(owners.of(serverName)),
    call: async (wanted, wishes = {}) => call(owners.of(wanted.serverName), world, wanted, wishes),
    autostart: () => autostart.run(),
    readiness: () => autostart.readiness(),
    close: () => owners.close(),
  };
}
