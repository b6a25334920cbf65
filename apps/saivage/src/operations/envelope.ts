import { z } from 'zod';
import { outcome, Refusal, text, type AnswerShape, type Outcome, type ToolResult } from '@portolan/mcp/tool';

/** Why an operation did not succeed. */
export interface Failure {
  /** Stable, to branch on. `internal` quotes a reference under which the log holds the whole error. */
  readonly code: string;
  readonly message: string;
  /** Facts that help to go on rightly. */
  readonly details?: Readonly<Record<string, unknown>> | undefined;
}

/** How the failure of an operation is listed. */
export const FailureShape = z
  .object({
    code: z.string(),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional().describe('Facts that help to go on rightly.'),
  })
  .describe('What went wrong, and a stable code. Present when success is false.');

/** An operation says no in the words of its own domain: with a code of that domain, and how far it came. */
export class Declined extends Refusal {
  readonly failure: Failure;
  readonly outcome: Outcome;

  constructor(failure: Failure, ended: Outcome = 'failed') {
    super('unavailable', failure.message, failure.details);
    this.failure = failure;
    this.outcome = ended;
  }
}

/** The one shape of every operation's result: `{success, data?|error?}`, whoever called it. */
export const envelope: AnswerShape = {
  schema: (output) =>
    z.object({
      success: z.boolean(),
      data: output.optional().describe('The answer. Present when success is true.'),
      error: FailureShape.optional(),
    }),
  success: (data) => enveloped({ success: true, data }),
  refusal: (refused) =>
    refused instanceof Declined
      ? { ...failure(refused.failure), [outcome]: refused.outcome }
      : failure({ code: refused.code, message: refused.message, details: refused.details }),
};

/** A failed result. */
export function failure(error: Failure): ToolResult {
  return enveloped({ success: false, error });
}

/** A result whose structured content is an envelope, with blocks that the envelope tells of after it. */
export function enveloped(
  structuredContent: { readonly success: boolean; readonly [key: string]: unknown },
  blocks: ToolResult['content'] = [],
): ToolResult {
  return {
    content: [text(JSON.stringify(structuredContent)), ...blocks],
    structuredContent,
    isError: !structuredContent.success,
  };
}
