import type { McpConnection } from '../config/schema.ts';
import { checkedDefinition } from './checked.ts';
import type { Connections } from './connections.ts';
import { dynamicDefinition } from './definition.ts';
import { DYNAMIC_LIMITS, type DynamicServers } from './dynamic.ts';
import { ServerError } from './errors.ts';
import { join } from './lifecycle.ts';
import { errorOf, request, requireOpen, type Owner } from './owner.ts';
import type { Owners } from './owners.ts';
import { viewOf } from './view.ts';

/** The definitions of agents: they are kept before anything else is done about them. */
export function dynamicDefinitions(
  owners: Owners,
  first: DynamicServers,
  keep: (dynamic: DynamicServers) => void,
): Pick<Connections, 'register' | 'replace' | 'unregister'> {
  let kept = first;
  const publish = (next: DynamicServers) => {
    keep(next);
    kept = next;
  };
  const publishAlso = (serverName: string, connection: McpConnection) =>
    publish({ ...kept, [serverName]: connection });

  return {
    register(serverName, sent) {
      const present = owners.find(serverName);
      const connection = checkedDefinition(serverName, sent);
      if (present) requireOpen(present, 'register');
      if (Object.keys(kept).length >= DYNAMIC_LIMITS.servers) {
        throw new ServerError('too_many_servers', { serverName });
      }
      publishAlso(serverName, connection);
      return viewOf(owners.add(serverName, dynamicDefinition(connection)));
    },

    replace(serverName, sent) {
      const owner = dynamicOwner(owners.of(serverName));
      const connection = checkedDefinition(serverName, sent);
      requireOpen(owner, 'replace');
      publishAlso(serverName, connection);
      owner.definition = dynamicDefinition(connection);
      request(owner, 'replace');
      return viewOf(owner);
    },

    async unregister(serverName) {
      const owner = dynamicOwner(owners.of(serverName));
      requireOpen(owner, 'unregister');
      const { [serverName]: _, ...rest } = kept;
      publish(rest);
      request(owner, 'unregister');
      await join(owner);
      return { serverName, status: 'unregistered' };
    },
  };
}

function dynamicOwner(owner: Owner): Owner {
  if (owner.definition.source === 'dynamic') return owner;
  throw errorOf(owner, 'not_dynamic');
}
