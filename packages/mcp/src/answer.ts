import type { z } from 'zod';
import type { Refusal } from './errors.ts';

/** A content block of a tool result (MCP `ContentBlock`), as far as our own tools make them. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string }
  | {
      readonly type: 'resource_link';
      readonly uri: string;
      readonly name: string;
      readonly mimeType?: string;
    }
  | { readonly type: 'resource'; readonly resource: Readonly<Record<string, unknown>> };

/**
 * How a call ended, as far as effects are concerned.
 *
 * - `succeeded`: the handler ran and answered.
 * - `failed`: the handler ran and said no, or a tool that only reads broke.
 * - `rejected`: refused before the handler ran, so there are no effects.
 * - `cancelled`: the caller went away and a tool that only reads stopped because of it.
 * - `uncertain`: a tool that changes something broke half way, so its effects are unknown.
 */
export type Outcome = 'succeeded' | 'failed' | 'rejected' | 'cancelled' | 'uncertain';

/** Where a tool says its outcome itself. A symbol, so that it never reaches the wire. */
export const outcome: unique symbol = Symbol('outcome');

/** The result of tools/call (MCP `CallToolResult`). */
export interface ToolResult {
  /** Without it: `failed` when `isError`, else `succeeded`. */
  readonly [outcome]?: Outcome;
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** How an app's tools turn what a handler answers, or a refusal, into a tool result. One shape an app. */
export interface AnswerShape {
  /** The schema that tools/list shows, made of the tool's own output schema. */
  schema(output: z.ZodType): z.ZodType;
  success(output: unknown): ToolResult;
  refusal(refusal: Refusal): ToolResult;
}

/** The plain shape: the output as structured content, and once more as text for clients that read only text. */
export const structured: AnswerShape = {
  schema: (output) => output,
  success: (output) => ({ content: [text(JSON.stringify(output))], structuredContent: output }),
  refusal: ({ code, message, details }) => ({
    content: [text(message)],
    isError: true,
    _meta: { error: { code, ...details } },
  }),
};

/** A text block. */
export function text(value: string): ContentBlock {
  return { type: 'text', text: value };
}
