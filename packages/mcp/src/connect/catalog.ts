import { z } from 'zod';
import type { Channel } from './channel.ts';
import type { Deadline } from './deadline.ts';
import { ConnectionFailure } from './errors.ts';
import { exchange } from './exchange.ts';
import { LIMITS } from './limits.ts';
import type { Session } from './session.ts';
import { readTool, type CatalogTool } from './tool.ts';

/** A complete tool list, immutable: all pages, in the peer's order. */
export interface Catalog {
  readonly tools: readonly CatalogTool[];
  /** Entries without a usable name. They are counted and never hidden among the others. */
  readonly nameless: number;
  tool(name: string): CatalogTool | undefined;
}

/** As little as a page must be: its entries are judged one by one. */
const Page = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().nullish() });

/** Reads all pages, or throws `ConnectionFailure`. Cursors go back byte for byte. */
export async function readCatalog(channel: Channel, session: Session, deadline: Deadline): Promise<Catalog> {
  if (!session.hasTools) return catalogOf([], 0);
  const tools = new Map<string, CatalogTool>();
  const cursors = new Set<string>();
  let count = 0;
  let size = 0;
  let empty = 0;
  for (let cursor: string | undefined; ;) {
    const page = await readPage(channel, session, deadline, cursor === undefined ? {} : { cursor });
    const { tools: entries, nextCursor } = page;
    count += entries.length;
    size += JSON.stringify(entries).length + (nextCursor?.length ?? 0);
    empty += entries.length === 0 ? 1 : 0;
    if (count > LIMITS.tools) throw new ConnectionFailure('catalog_too_many_tools');
    if (size > LIMITS.wire) throw new ConnectionFailure('catalog_too_large');
    if (empty > LIMITS.emptyPages)
      throw new ConnectionFailure('catalog_endless', { reason: 'too many empty pages' });
    for (const tool of entries.map(readTool)) addTo(tools, tool);
    if (nextCursor === undefined || nextCursor === null)
      return catalogOf([...tools.values()], count - tools.size);
    if (cursors.has(nextCursor)) throw new ConnectionFailure('catalog_cursor_repeated');
    cursors.add(nextCursor);
    cursor = nextCursor;
  }
}

async function readPage(channel: Channel, session: Session, deadline: Deadline, params: { cursor?: string }) {
  const { data } = Page.safeParse(
    await exchange(channel, session, deadline, { method: 'tools/list', params }),
  );
  if (!data) throw new ConnectionFailure('catalog_malformed');
  return data;
}

function addTo(tools: Map<string, CatalogTool>, tool: CatalogTool | undefined): void {
  if (!tool) return;
  if (tools.has(tool.name)) throw new ConnectionFailure('catalog_duplicate_name');
  tools.set(tool.name, tool);
}

function catalogOf(tools: readonly CatalogTool[], nameless: number): Catalog {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return Object.freeze({ tools: Object.freeze(tools), nameless, tool: (name: string) => byName.get(name) });
}
