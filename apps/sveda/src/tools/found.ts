import type { CallContext } from '@portolan/agent';
import type { ToolResult } from '@portolan/mcp/tool';

/** Where a tool comes from. In this order names are given: who comes earlier keeps the name. */
export const ORIGINS = ['builtin', 'host', 'runtime', 'frontend'] as const;
export type Origin = (typeof ORIGINS)[number];

/** A tool as its source has it, before the catalogue has judged it. */
export interface FoundTool {
  readonly origin: Origin;
  /** Name of the runtime server that has it. */
  readonly server?: string | undefined;
  /** Its name there: text of others. */
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The section of a policy that a builtin tool stands under; without one, each of its tasks is judged instead. */
  readonly section?: 'web' | 'code' | undefined;
  /** `_meta.domain` and `_meta.mode` of an MCP tool. */
  readonly domain?: string | undefined;
  readonly mode?: string | undefined;
  /** The source itself asks for the visitor's confirmation of each call. */
  readonly confirmation: boolean;
  /** Everything that its source says of it: what a later definition is compared with. */
  readonly definition: unknown;
  /** Runs one call; absent where the page runs it. */
  readonly run?:
    ((input: Readonly<Record<string, unknown>>, call: CallContext) => Promise<ToolResult>) | undefined;
}

/** The source of a tool in one word or two: `host`, `runtime docs`. */
export function sourceOf({ origin, server }: Pick<FoundTool, 'origin' | 'server'>): string {
  return server === undefined ? origin : `${origin} ${server}`;
}
