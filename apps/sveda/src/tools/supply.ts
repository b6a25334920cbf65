import type { CallContext } from '@portolan/agent';
import type { Catalog, CatalogTool } from '@portolan/mcp/connect';
import { isFault } from '@portolan/mcp/schema';
import type { ToolResult } from '@portolan/mcp/tool';
import type { LeftOut } from './catalogue.ts';
import { sourceOf, type FoundTool } from './found.ts';
import { escaped } from './names.ts';

/** What one MCP server gives to a turn. */
export interface Supply {
  readonly tools: readonly FoundTool[];
  /** Tools that no call can be made to. */
  readonly unusable: readonly LeftOut[];
  /** How the server describes itself to a model: text of others. */
  readonly instructions: string | undefined;
}

/** Sends one call to the server that has the tool. */
export type Send = (
  tool: CatalogTool,
  input: Readonly<Record<string, unknown>>,
  call: CallContext,
) => Promise<ToolResult>;

type Place = Pick<FoundTool, 'origin' | 'server'>;

/** Judges the list of a server tool by tool: one whose schemas cannot be used is left out and told. */
export function supplyOf(
  place: Place,
  { tools }: Catalog,
  instructions: string | undefined,
  send: Send,
): Supply {
  const judged = tools.map((tool) => ({ tool, rule: faultOf(tool) }));
  return {
    tools: judged.flatMap(({ tool, rule }) => (rule === undefined ? [found(place, tool, send)] : [])),
    unusable: judged.flatMap(({ tool, rule }) =>
      rule === undefined ? [] : [{ name: escaped(tool.name), source: sourceOf(place), rule }],
    ),
    instructions,
  };
}

/** Everything that a server says of a tool and that a visitor's trust may rest on. */
export function definitionOf(tool: CatalogTool): Readonly<Record<string, unknown>> {
  const { description, title, inputSchema, outputSchema, annotations } = tool.sent;
  const { domain, mode, confirmation } = metaOf(tool);
  return { description, title, inputSchema, outputSchema, annotations, domain, mode, confirmation };
}

function faultOf({ input, output }: CatalogTool): string | undefined {
  if (isFault(input)) return input.code;
  return output && isFault(output) ? output.code : undefined;
}

function found(place: Place, tool: CatalogTool, send: Send): FoundTool {
  const definition = definitionOf(tool);
  const { description, title, inputSchema, domain, mode, confirmation } = definition;
  return {
    ...place,
    name: tool.name,
    description: worded(description) ?? worded(title) ?? tool.name,
    inputSchema: inputSchema as FoundTool['inputSchema'],
    domain: worded(domain),
    mode: mode === undefined || typeof mode === 'string' ? mode : 'unknown',
    confirmation: confirmation === 'required',
    definition,
    run: (input, call) => send(tool, input, call),
  };
}

function metaOf({ sent }: CatalogTool): Readonly<Record<string, unknown>> {
  const { _meta: meta } = sent;
  return typeof meta === 'object' && meta !== null ? (meta as Record<string, unknown>) : {};
}

function worded(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
