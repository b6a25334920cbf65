import { beginAttempt, finishAttempt } from './attempt.ts';
import type { ServerDefinition } from './definition.ts';
import { ServerError } from './errors.ts';
import { join } from './lifecycle.ts';
import { newOwner, request, type Effects, type Owner } from './owner.ts';
import type { World } from './world.ts';

/** The owners of all servers of a project, one a name. */
export interface Owners {
  /** All of them, by name. */
  all(): readonly Owner[];
  /** The owner of a name, where there is one. Throws `ServerError` once Saivage is closing. */
  find(serverName: string): Owner | undefined;
  /** The same; throws also where there is none. */
  of(serverName: string): Owner;
  add(serverName: string, definition: ServerDefinition): Owner;
  /** Refuses everything from now on and ends everything. Throws where something is left; may be asked again. */
  close(): Promise<void>;
}

/** No owner yet. `onReady` is told of each server that has come up. */
export function newOwners(world: World, onReady: (serverName: string) => void): Owners {
  const owners = new Map<string, Owner>();
  let isClosed = false;

  const effects: Effects = {
    begin(owner) {
      const attempt = beginAttempt(owner, world);
      attempt.outcome.then(
        () => onReady(owner.serverName),
        () => undefined,
      );
      return attempt;
    },
    finish: (owner) => finishAttempt(owner, world),
    gone: ({ serverName }) => void owners.delete(serverName),
    now: world.now,
  };

  const found = (serverName: string) => {
    if (isClosed) throw new ServerError('application_closed', { serverName });
    return owners.get(serverName);
  };

  return {
    all: () => [...owners.values()].toSorted((a, b) => (a.serverName < b.serverName ? -1 : 1)),
    find: found,
    of(serverName) {
      const owner = found(serverName);
      if (!owner) throw new ServerError('unknown_server', { serverName });
      return owner;
    },
    add(serverName, definition) {
      const owner = newOwner(serverName, definition, effects);
      owners.set(serverName, owner);
      return owner;
    },
    async close() {
      isClosed = true;
      const all = [...owners.values()];
      for (const owner of all) request(owner, 'close');
      const joined = await Promise.allSettled(all.map(join));
      for (const one of joined) if (one.status === 'rejected') throw one.reason;
    },
  };
}
