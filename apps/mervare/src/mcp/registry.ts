import { allows, type Caller, type Tool } from '@portolan/mcp/tool';
import type { Server } from './servers.ts';
import { scopes, type Deps, type Scope } from './vocabulary.ts';

/** Every tool of a server, in the published order. */
export function toolsOf({ families }: Pick<Server, 'families'>): Tool<Deps>[] {
  return families.flatMap(({ tools }) => tools);
}

/** Every published name of a server's tools, in the published order. */
export function toolNames(server: Server): string[] {
  return toolsOf(server).map(({ name }) => name);
}

/** The scopes that a client can ask for at a server, in the published order; none where no credential is taken. */
export function scopesOffered({ admits, floor, families }: Server): Scope[] {
  if (admits === 'anyone') return [];
  return inPublishedOrder([floor, ...families.flatMap((family) => family.scopes)]);
}

/** Each scope that is among these, once, in the published order. */
export function inPublishedOrder(some: readonly (string | undefined)[]): Scope[] {
  return (Object.keys(scopes) as Scope[]).filter((scope) => some.includes(scope));
}

/** The canonical address of a server's endpoint: the audience of its tokens (RFC 8707). */
export function addressOf({ endpoint }: Server, origin: string): string {
  return new URL(endpoint, origin).href;
}

/** The address of the protected-resource document of a server's very endpoint (RFC 9728 §3.1). */
export function metadataOf({ endpoint }: Server, origin: string): string {
  return new URL(`/.well-known/oauth-protected-resource${endpoint}`, origin).href;
}

/** The tools that this caller may see and call at a server. */
export function toolsFor(server: Server, caller: Pick<Caller, 'scopes' | 'grants'>): Tool<Deps>[] {
  return toolsOf(server).filter(({ access }) => allows(access, caller));
}
