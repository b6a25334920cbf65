import type { OfferedTool, ToolSource } from '@portolan/agent';
import { connect, type CatalogTool } from '@portolan/mcp/connect';
import type { HostCredentials } from '../embed/seal.ts';
import { allowsMcp, asksFor, type Documents, type Governed } from './policy.ts';

/** The host's MCP server for one segment: reached with the visitor's bearer, listed whole or not at all. */
export interface HostTools {
  readonly source: ToolSource;
  /** The host's own words to a model, from its handshake. */
  readonly instructions: string | undefined;
  close(): Promise<void>;
}

/** Connecting and listing, all pages. */
const START_MS = 30_000;

/** Connects to the host's MCP server. Rejects with the kernel's error when it cannot be reached or listed. */
export async function openHost(
  { url, token }: HostCredentials,
  documents: Documents,
  signal: AbortSignal,
): Promise<HostTools> {
  const connection = await connect(
    { transport: 'streamable-http', url, headers: { authorization: `Bearer ${token}` } },
    { budget: START_MS, signal },
  );
  const usable = connection.catalog.tools.filter(
    (tool) => tool.usable && allowsMcp(documents, governed(tool)),
  );
  const names = new Set(usable.map(({ name }) => name));
  return {
    source: {
      list: () => Promise.resolve(usable.map((tool) => offer(tool, documents))),
      call: (name, input, { signal: stop, progress }) => {
        if (!names.has(name)) return Promise.reject(new Error(`${name} is not offered`));
        return connection.call(name, input, { signal: stop, onProgress: progress });
      },
    },
    instructions: connection.serverInfo.instructions,
    close: () => connection.close(),
  };
}

function offer(tool: CatalogTool, documents: Documents): OfferedTool {
  const asks = tool.meta?.confirmation === 'required' || asksFor(documents, governed(tool));
  return {
    name: tool.name,
    description: tool.description ?? tool.title ?? tool.name,
    inputSchema: tool.inputSchema,
    ...(asks && { confirmation: 'required' }),
  };
}

function governed({ name, meta }: CatalogTool): Governed {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  return { name, domain: text(meta?.domain), mode: text(meta?.mode) };
}
