import { z } from 'zod';
import { text, type AnswerShape, type RefusalCode, type ToolResult } from '@portolan/mcp/tool';

/** Why an operation did not succeed. `internal` quotes a reference under which the log holds the whole error. */
export type FailureCode = RefusalCode | 'internal';

/** The one shape of every operation's result: `{success, data?|error?}`, whoever called it. */
export const envelope: AnswerShape = {
  schema: (output) =>
    z.object({
      success: z.boolean(),
      data: output.optional().describe('The answer. Present when success is true.'),
      error: z
        .object({ code: z.string(), message: z.string() })
        .optional()
        .describe('What went wrong, and a stable code. Present when success is false.'),
    }),
  success: (data) => result({ success: true, data }),
  refusal: ({ code, message }) => failure(code, message),
};

/** A failed result. */
export function failure(code: FailureCode, message: string): ToolResult {
  return result({ success: false, error: { code, message } });
}

function result(structuredContent: {
  readonly success: boolean;
  readonly [key: string]: unknown;
}): ToolResult {
  return {
    content: [text(JSON.stringify(structuredContent))],
    structuredContent,
    isError: !structuredContent.success,
  };
}
