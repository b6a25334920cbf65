import { allows, type Caller, type Tool } from '@portolan/mcp/tool';
import { builtTools, publishedNames } from './families.ts';
import type { Server } from './servers.ts';
import { scopes, type Deps, type Scope } from './vocabulary.ts';

/** True for a server that is mounted. The others open together with sign-in. */
export function isOpen({ admits }: Server): boolean {
  return admits === 'anyone';
}

/** Every published name of a server's tools, in the published order, built or not. */
export function toolNames({ families }: Server): string[] {
  return families.flatMap(publishedNames);
}

/** The scopes that a client can ask for at a server, in the published order; none where no credential is taken. */
export function scopesOffered({ admits, floor, families }: Server): Scope[] {
  if (admits === 'anyone') return [];
  const used = new Set<string | undefined>([floor, ...families.flatMap((family) => family.scopes)]);
  return (Object.keys(scopes) as Scope[]).filter((scope) => used.has(scope));
}

/** The built tools that this caller may see and call at a server. */
export function toolsFor({ families }: Server, caller: Pick<Caller, 'scopes' | 'grants'>): Tool<Deps>[] {
  return families.flatMap(builtTools).filter(({ access }) => allows(access, caller));
}
