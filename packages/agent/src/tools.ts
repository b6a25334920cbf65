import type { ToolResult } from '@portolan/mcp/tool';
import type { Progress } from './events.ts';

/** A tool as the model is offered it. */
export interface OfferedTool {
  readonly name: string;
  /** The tool's own name, where `name` is an alias that providers take. */
  readonly shownAs?: string | undefined;
  readonly description: string;
  /** JSON Schema of the arguments: an object schema. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Each call waits for a decision. */
  readonly confirmation?: 'required' | undefined;
  /** `page`: the call waits for a result from outside; the source is not asked. Absent: `here`. */
  readonly runs?: 'here' | 'page' | undefined;
}

/** Where tools come from. */
export interface ToolSource {
  /** The tools for this run, asked once. Of tools with one name, the first source's counts. */
  list(turn: { readonly signal: AbortSignal }): Promise<readonly OfferedTool[]>;
  /** Runs one call. A rejection named `Refusal` is shown to the model, any other only as a failure. */
  call(name: string, input: Readonly<Record<string, unknown>>, call: CallContext): Promise<ToolResult>;
}

export interface CallContext {
  readonly callId: string;
  /** Aborts when the turn is stopped and when the call's time is over. */
  readonly signal: AbortSignal;
  readonly progress: (progress: Progress) => void;
}

/** Says in words what is wrong with arguments, or nothing. */
export type Validate = (
  schema: Readonly<Record<string, unknown>>,
  input: Readonly<Record<string, unknown>>,
) => string | undefined;

/** What one run offers: by name, each tool with its source. */
export type Offer = ReadonlyMap<string, { readonly tool: OfferedTool; readonly source: ToolSource }>;

/** Asks all sources at once. Rejects when one of them does. */
export async function gatherOffer(sources: readonly ToolSource[], signal: AbortSignal): Promise<Offer> {
  const lists = await Promise.all(
    sources.map(async (source) => (await source.list({ signal })).map((tool) => ({ tool, source }))),
  );
  const offer = new Map<string, { tool: OfferedTool; source: ToolSource }>();
  for (const entry of lists.flat()) if (!offer.has(entry.tool.name)) offer.set(entry.tool.name, entry);
  return offer;
}
