import type { ToolResult } from '../answer.ts';
import type { ToolDescriptor } from '../define.ts';
import type { Fault } from './fault.ts';
import type { Spoken } from './revisions.ts';
import type { Identity } from './identity.ts';

export type Era = 'legacy' | 'modern';

/** The lists that MCP pages through, by the member that holds them. */
export type ListName = 'tools' | 'resources' | 'resourceTemplates';

/** One content of resources/read, in the form that all revisions share. */
export interface ResourceContents {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

/**
 * One era's wire form of our neutral answers. Every member returns the JSON text of a `result`;
 * who adds the envelope (`jsonrpc`, `id`) need not know the era.
 */
export interface Codec {
  readonly era: Era;
  /** The answer to the era's opening method: `initialize` or `server/discover`. */
  opening(identity: Identity, spoken: Spoken, params: Readonly<Record<string, unknown>>): string;
  list(identity: Identity, name: ListName, items: readonly object[], nextCursor: string | undefined): string;
  tool(identity: Identity, descriptor: ToolDescriptor, result: ToolResult): string;
  contents(identity: Identity, contents: readonly ResourceContents[]): string;
  /** HTTP status of a fault that was found after the edge. */
  status(fault: Fault): number;
}
