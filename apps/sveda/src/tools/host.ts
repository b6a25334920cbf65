import type { OfferedTool, ToolSource } from '@portolan/agent';
import { connect, type CatalogTool, type Answer } from '@portolan/mcp/connect';
import { isFault } from '@portolan/mcp/schema';
import type { ContentBlock, ToolResult } from '@portolan/mcp/tool';
import type { HostCredentials } from '../embed/seal.ts';
import { allowsMcp, asksFor, type Documents, type Governed } from './policy.ts';

/** The host's MCP server for one segment: reached with the visitor's bearer, listed whole or not at all. */
export interface HostTools {
  readonly source: ToolSource;
  /** The host's own words to a model, from its handshake. */
  readonly instructions: string | undefined;
  close(): Promise<unknown>;
}

/** Milliseconds for connecting and listing all pages. */
const START_MS = 30_000;

/** Connects to the host's MCP server. Rejects with a ConnectionFailure when it cannot be reached or listed. */
export async function openHost(
  { url, token }: HostCredentials,
  documents: Documents,
  signal: AbortSignal,
): Promise<HostTools> {
  const connection = await connect(
    { transport: 'streamable-http', url: new URL(url), headers: { authorization: `Bearer ${token}` } },
    { budget: START_MS, signal, clientInfo: { name: 'sveda', version: '0.1.0' } },
  );
  const usable = connection.catalog.tools.filter(
    (tool) => !isFault(tool.input) && allowsMcp(documents, governed(tool)),
  );
  const byName = new Map(usable.map((tool) => [tool.name, tool]));
  return {
    source: {
      list: () => Promise.resolve(usable.map((tool) => offer(tool, documents))),
      async call(name, input, { signal: stop, progress }) {
        const tool = byName.get(name);
        if (!tool) throw new Error(`${name} is not offered`);
        return resultOf(await connection.call(tool, input, { signal: stop, onProgress: progress }));
      },
    },
    instructions: connection.instructions,
    close: () => connection.close(),
  };
}

function offer(tool: CatalogTool, documents: Documents): OfferedTool {
  const { description, title, inputSchema } = tool.sent;
  const asks = metaOf(tool).confirmation === 'required' || asksFor(documents, governed(tool));
  return {
    name: tool.name,
    description: text(description) ?? text(title) ?? tool.name,
    inputSchema: inputSchema as OfferedTool['inputSchema'],
    ...(asks && { confirmation: 'required' }),
  };
}

function governed(tool: CatalogTool): Governed {
  const { domain, mode } = metaOf(tool);
  return { name: tool.name, domain: text(domain), mode: text(mode) };
}

function metaOf({ sent }: CatalogTool): Readonly<Record<string, unknown>> {
  const { _meta: meta } = sent;
  return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : {};
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The envelope as the loop takes it: blocks that it knows, structured content, and whether it failed. */
function resultOf({ content, structuredContent, isError }: Answer): ToolResult {
  const blocks = Array.isArray(content) ? content.filter(isBlock) : [];
  return {
    content: blocks,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(isError === true && { isError }),
  };
}

const fields: Readonly<Record<string, readonly string[]>> = {
  text: ['text'],
  image: ['data', 'mimeType'],
  audio: ['data', 'mimeType'],
  resource_link: ['uri', 'name'],
};

function isBlock(block: unknown): block is ContentBlock {
  if (typeof block !== 'object' || block === null || !('type' in block)) return false;
  const all = block as Record<string, unknown>;
  if (block.type === 'resource') return typeof all.resource === 'object' && all.resource !== null;
  return fields[String(block.type)]?.every((field) => typeof all[field] === 'string') ?? false;
}
