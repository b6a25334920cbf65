import { createHash } from 'node:crypto';
import type { Tool } from '../define.ts';
import { Misconfigured } from '../errors.ts';
import type { Codec, ListName } from './codec.ts';
import { headerParameters, type HeaderParameter } from './header-parameters.ts';
import { identityOf, type Identity } from './identity.ts';
import { pages } from './pages.ts';
import { listed, type Resource, type ResourceTemplate } from './resource.ts';
import { matching } from './templates.ts';

/** What a surface is made of. */
export interface SurfaceParts<Deps> {
  readonly server: { readonly name: string; readonly title?: string; readonly release: string };
  /** Listed in this order, and callable. */
  readonly tools: readonly Tool<Deps>[];
  /** Callable, never listed. */
  readonly unlisted?: readonly Tool<Deps>[];
  readonly resources?: readonly Resource<Deps>[];
  readonly templates?: readonly ResourceTemplate<Deps>[];
  /** For the model of the client, at `initialize` and `server/discover`. */
  readonly instructions?: string;
  /** `_meta` of the answers to `initialize` and `server/discover`. */
  readonly meta?: Readonly<Record<string, unknown>>;
  /** Entries a page of any list. Without it a list is one page, since many clients read only the first. */
  readonly pageSize?: number;
}

/** Everything that one entitlement sees, computed once and kept with its serialised lists. */
export interface Surface<Deps = unknown> {
  /** `<release>+<fingerprint of the whole list>`: the same for the same list on every node. */
  readonly version: string;
  readonly tools: readonly Tool<Deps>[];
  readonly identity: Identity;
  readonly offersResources: boolean;
  tool(name: string): Tool<Deps> | undefined;
  /** The arguments of a tool that the modern era repeats in headers. */
  headerParameters(tool: Tool<Deps>): readonly HeaderParameter[];
  resource(uri: string): Pick<Resource<Deps>, 'uri' | 'mimeType' | 'read'> | undefined;
  /** The JSON text of one page of a list, or undefined for a cursor that is not of this list. */
  page(name: ListName, cursor: string | undefined, codec: Codec): Buffer | undefined;
}

/**
 * Computes a surface. Costs about a millisecond for a hundred tools, so keep it for as long as the entitlement
 * lasts. Throws Misconfigured when a name stands twice or a tool marks header parameters wrongly.
 */
export function surface<Deps>(parts: SurfaceParts<Deps>): Surface<Deps> {
  const { server, tools, unlisted = [], resources = [], templates: patterns = [] } = parts;
  const byName = named([...tools, ...unlisted]);
  const byUri = new Map(resources.map((one) => [one.uri, one]));
  const byTemplate = matching(patterns);
  const lists = {
    tools: tools.map(({ descriptor }) => descriptor),
    resources: resources.map(listed),
    resourceTemplates: patterns.map(listed),
  };
  const version = `${server.release}+${fingerprint(lists)}`;
  const identity = identityOf(parts, version);
  const parameters = new Map([...byName.values()].map((tool) => [tool, headerParameters(tool)]));
  return {
    version,
    tools,
    identity,
    offersResources: 'resources' in identity.capabilities,
    tool: (name) => byName.get(name),
    headerParameters: (tool) => parameters.get(tool) ?? [],
    resource: (uri) => byUri.get(uri) ?? byTemplate(uri),
    page: pages(identity, lists, version, parts.pageSize),
  };
}

function named<Deps>(tools: readonly Tool<Deps>[]): ReadonlyMap<string, Tool<Deps>> {
  const byName = new Map<string, Tool<Deps>>();
  for (const tool of tools) {
    if (byName.has(tool.name)) throw new Misconfigured(`The tool ${tool.name} stands twice on one surface.`);
    byName.set(tool.name, tool);
  }
  return byName;
}

/** 16 hexadecimal digits of SHA-256 over the lists as they are served. */
function fingerprint(lists: object): string {
  return createHash('sha256').update(JSON.stringify(lists)).digest('hex').slice(0, 16);
}
