import type { PolicyDocument } from '@sveda-ai/protocol';

/** What a policy must know of a tool. */
export interface Governed {
  readonly name: string;
  readonly domain?: string | undefined;
  readonly mode?: string | undefined;
}

/** The documents in force for a visitor: the named policy and the token's grants. Each is asked by itself; all must allow. */
export type Documents = readonly PolicyDocument[];

const modes = ['read', 'write', 'delete'];

/** True when every document lets the visitor reach this tool of the host or of a runtime server. */
export function allowsMcp(documents: Documents, tool: Governed): boolean {
  return documents.every(({ mcp }) => {
    if (!mcp || !matches(mcp.allow, tool.name) || matches(mcp.deny ?? [], tool.name)) return false;
    if (mcp.domains && mcp.domains.length > 0 && !mcp.domains.includes(tool.domain ?? 'other')) return false;
    // A mode that nobody knows ranks as the strongest.
    const mode = tool.mode === undefined ? 0 : modes.indexOf(tool.mode);
    return !mcp.maxMode || (mode === -1 ? modes.length : mode) <= modes.indexOf(mcp.maxMode);
  });
}

/** True when a document asks for the visitor's confirmation, whatever the tool says of itself. */
export function asksFor(documents: Documents, { name }: Governed): boolean {
  return documents.some(({ mcp }) => matches(mcp?.confirm ?? [], name));
}

/** True when every document lets the page offer this tool. */
export function allowsClient(documents: Documents, name: string): boolean {
  return documents.every(({ client }) => client !== undefined && matches(client.allow, name));
}

/** `*`, a name, `prefix*` or `*suffix`; letter case counts. */
function matches(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => {
    if (pattern.startsWith('*')) return name.endsWith(pattern.slice(1));
    return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  });
}
