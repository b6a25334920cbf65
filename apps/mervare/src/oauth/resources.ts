import { addressOf, scopesOffered } from '../mcp/registry.ts';
import type { Server } from '../mcp/servers.ts';
import type { Scope } from '../mcp/vocabulary.ts';

/** An endpoint that takes tokens, and what a client can ask for there. */
export interface Resource {
  /** The one canonical address: audience of its tokens, `resource` of its metadata document. */
  readonly audience: string;
  readonly server: Server;
  /** In the published order. */
  readonly scopes: readonly Scope[];
}

/** What everybody who signs in may hold, so that no consent is empty. */
export const FLOOR: Scope = 'discovery';

/** The endpoints that take tokens, in the order of the registry. The first is the one that a client means who names none. */
export function resourcesOf(servers: readonly Server[], origin: string): Resource[] {
  return servers
    .filter(({ admits }) => admits === 'credential')
    .map((server) => ({
      audience: addressOf(server, origin),
      server,
      scopes: scopesOffered(server),
    }));
}

/** The resource that a client means: a trailing slash, the default port and the case of the host make no difference. */
export function findResource(resources: readonly Resource[], asked: string): Resource | undefined {
  if (!URL.canParse(asked)) return undefined;
  const url = new URL(asked);
  if (url.username !== '' || url.password !== '' || asked.includes('#') || asked.includes('?'))
    return undefined;
  const canonical = `${url.origin}${url.pathname.replace(/\/$/, '')}`;
  return resources.find(({ audience }) => audience === canonical);
}
