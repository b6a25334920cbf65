import { challenge } from '@portolan/mcp/serve';
import type { SiteCaller } from './callers/caller.ts';
import { inPublishedOrder, toolsOf } from './registry.ts';
import type { Server } from './servers.ts';

/**
 * The challenge for a person who calls a tool that the connection does not open but the person's own rights do: the scopes of
 * the connection and the one that is missing, so that a client that asks for them loses nothing. Undefined for everybody
 * else. Rules name the scope that opens most first, so the last one that helps asks for the least.
 */
export function stepUpFor(server: Server, name: string, caller: SiteCaller, resourceMetadata: string) {
  if (caller.kind !== 'oauth') return undefined;
  const access = toolsOf(server).find((tool) => tool.name === name)?.access;
  if (access?.kind !== 'needs') return undefined;
  const { carried, held, grants } = caller;
  const missing = access.anyOf.findLast(
    ({ scope, grant }) =>
      !named(carried, scope) && named(held, scope) && (grant === undefined || named(grants, grant)),
  );
  if (!missing) return undefined;
  const scopes = inPublishedOrder([...carried, missing.scope]);
  return challenge({ error: 'insufficient_scope', resourceMetadata, scopes });
}

function named(list: readonly string[], one: string): boolean {
  return list.includes(one);
}
