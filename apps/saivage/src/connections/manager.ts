import type { McpConnection } from '../config/schema.ts';
import { newAutostart } from './autostart.ts';
import { beginAttempt, finishAttempt } from './attempt.ts';
import type { Connections } from './connections.ts';
import { checkedDefinition } from './checked.ts';
import { dynamicDefinition, type McpServer, type ServerDefinition } from './definition.ts';
import { DYNAMIC_LIMITS, type DynamicServers } from './dynamic.ts';
import { ServerError } from './errors.ts';
import { call, refresh } from './exchange.ts';
import { join, restart, start, stop } from './lifecycle.ts';
import { errorOf, newOwner, request, requireOpen, type Effects, type Owner } from './owner.ts';
import { toolsOf, viewOf } from './view.ts';
import type { World } from './world.ts';

/** What a manager manages. */
export interface ManagerOptions {
  readonly servers: Readonly<Record<string, McpServer>>;
  readonly dynamic: DynamicServers;
  /** Keeps all dynamic definitions, whole or not at all. */
  readonly keep: (dynamic: DynamicServers) => void;
  readonly world: World;
}

/** The owners of all servers of a project, by name. */
export function newManager({ servers, dynamic, keep, world }: ManagerOptions): Connections {
  const owners = new Map<string, Owner>();
  let kept = dynamic;
  let isClosed = false;

  const effects: Effects = {
    begin(owner) {
      const attempt = beginAttempt(owner, world);
      void attempt.outcome.then(
        () => autostart.came(owner.serverName),
        () => undefined,
      );
      return attempt;
    },
    finish: (owner) => finishAttempt(owner, world),
    gone: ({ serverName }) => void owners.delete(serverName),
    now: world.now,
  };
  const add = (serverName: string, definition: ServerDefinition) =>
    owners.set(serverName, newOwner(serverName, definition, effects));
  for (const [name, server] of Object.entries(servers)) add(name, { source: 'yaml', server });
  for (const [name, connection] of Object.entries(dynamic)) add(name, dynamicDefinition(connection));

  const autostart = newAutostart(
    Object.entries(servers).flatMap(([name, server]) => (server.autostart && !server.disabled ? [name] : [])),
    (serverName) => connections.start(serverName),
  );

  /** The owner of a server, as long as anything may be asked of one. */
  const ownerOf = (serverName: string): Owner => {
    requireApplication(serverName);
    const owner = owners.get(serverName);
    if (!owner) throw new ServerError('unknown_server', { serverName });
    return owner;
  };
  const requireApplication = (serverName: string) => {
    if (isClosed) throw new ServerError('application_closed', { serverName });
  };
  const keepAlso = (serverName: string, connection: McpConnection) => {
    const next = { ...kept, [serverName]: connection };
    keep(next);
    kept = next;
  };

  const connections: Connections = {
    list: () => [...owners.values()].map(viewOf).toSorted((a, b) => (a.serverName < b.serverName ? -1 : 1)),
    view: (serverName) => viewOf(ownerOf(serverName)),

    register(serverName, sent) {
      requireApplication(serverName);
      const connection = checkedDefinition(serverName, sent);
      const present = owners.get(serverName);
      if (present) request(present, 'register');
      if (Object.keys(kept).length >= DYNAMIC_LIMITS.servers)
        throw new ServerError('too_many_servers', { serverName });
      keepAlso(serverName, connection);
      add(serverName, dynamicDefinition(connection));
      return connections.view(serverName);
    },

    replace(serverName, sent) {
      const owner = dynamicOwner(ownerOf(serverName));
      const connection = checkedDefinition(serverName, sent);
      requireOpen(owner, 'replace');
      keepAlso(serverName, connection);
      owner.definition = dynamicDefinition(connection);
      owner.newestAt = undefined;
      request(owner, 'replace');
      return viewOf(owner);
    },

    async unregister(serverName) {
      const owner = dynamicOwner(ownerOf(serverName));
      requireOpen(owner, 'unregister');
      const { [serverName]: _, ...rest } = kept;
      keep(rest);
      kept = rest;
      request(owner, 'unregister');
      await join(owner);
      return { serverName, status: 'unregistered' };
    },

    start: async (serverName, { signal } = {}) => start(ownerOf(serverName), signal),
    stop: async (serverName) => stop(ownerOf(serverName)),
    restart: async (serverName, { signal } = {}) => restart(ownerOf(serverName), signal),
    refresh: async ({ serverName, bindingId }, { signal } = {}) =>
      refresh(ownerOf(serverName), world, bindingId, signal),
    tools: (serverName) => toolsOf(ownerOf(serverName)),
    call: async (wanted, wishes = {}) => call(ownerOf(wanted.serverName), world, wanted, wishes),
    autostart: autostart.run,
    readiness: autostart.readiness,

    async close() {
      isClosed = true;
      const all = [...owners.values()];
      for (const owner of all) request(owner, 'close');
      const joined = await Promise.allSettled(all.map(join));
      for (const one of joined) if (one.status === 'rejected') throw one.reason;
    },
  };
  return connections;
}

function dynamicOwner(owner: Owner): Owner {
  if (owner.definition.source === 'dynamic') return owner;
  throw errorOf(owner, 'not_dynamic');
}
