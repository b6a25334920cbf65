import type { Catalog } from '@portolan/mcp/connect';
import type { CallCounts } from './connections.ts';

/** How often the tools of one server were called, since Saivage started. */
export interface Counts {
  count(toolName: string, succeeded: boolean, at: Date): void;
  /** All calls of the server, or those of one tool. */
  of(toolName?: string): CallCounts;
  /** Forgets the tools that a new list no longer has; the sum of the server stays. */
  keep(catalog: Catalog): void;
}

const NONE: CallCounts = { total: 0, succeeded: 0, failed: 0 };

/** Nothing was called yet. */
export function newCounts(): Counts {
  let all = NONE;
  const tools = new Map<string, CallCounts>();
  return {
    count(toolName, succeeded, at) {
      all = more(all, succeeded, at);
      tools.set(toolName, more(tools.get(toolName) ?? NONE, succeeded, at));
    },
    of: (toolName) => (toolName === undefined ? all : (tools.get(toolName) ?? NONE)),
    keep(catalog) {
      for (const toolName of tools.keys()) if (!catalog.tool(toolName)) tools.delete(toolName);
    },
  };
}

function more({ total, succeeded, failed }: CallCounts, isSuccess: boolean, at: Date): CallCounts {
  return {
    total: total + 1,
    succeeded: succeeded + (isSuccess ? 1 : 0),
    failed: failed + (isSuccess ? 0 : 1),
    lastInvokedAt: at.toISOString(),
  };
}
