import { z } from 'zod';

/** A file whose text was extracted (`POST /sveda/documents/extract`), or an image for a model that can see. */
export const MessageFile = z.union([
  z.strictObject({
    name: z.string().min(1).max(255).describe('File name, shown to the visitor and the model.'),
    mediaType: z.string().min(1).max(127).describe('Media type, for example text/markdown.'),
    text: z.string().max(150_000).describe('Its text.'),
  }),
  z.strictObject({
    name: z.string().min(1).max(255).describe('File name, shown to the visitor and the model.'),
    mediaType: z.enum(['image/png', 'image/jpeg', 'image/webp']).describe('Media type of the image.'),
    data: z.base64().max(8_000_000).describe('The bytes, in base64.'),
  }),
]);
export type MessageFile = z.infer<typeof MessageFile>;

export const UserMessage = z.strictObject({
  text: z.string().trim().min(1).max(100_000).describe('What the visitor wrote.'),
  files: z.array(MessageFile).max(5).optional().describe('Files that belong to it.'),
});
export type UserMessage = z.infer<typeof UserMessage>;

const callId = z.string().min(1).max(128).describe('A call that this server issued and that is open.');

/** The result of a handler of the page: what it returned, or in one sentence why it failed. */
export const ToolResultPost = z.union([
  z.strictObject({ toolCallId: callId, output: z.unknown().describe('What the handler returned: JSON.') }),
  z.strictObject({ toolCallId: callId, error: z.string().max(4_000).describe('Why it failed.') }),
]);
export type ToolResultPost = z.infer<typeof ToolResultPost>;

export const ToolDecision = z.strictObject({
  toolCallId: callId,
  decision: z.enum(['approve', 'deny']).describe("The visitor's decision; it counts once."),
  reason: z.string().max(1_000).optional().describe('Passed to the model with a denial.'),
});
export type ToolDecision = z.infer<typeof ToolDecision>;

export const ClientTool = z.strictObject({
  name: z
    .string()
    .regex(/^[\w.-]{1,64}$/, 'A tool name has 1 to 64 letters, digits, dots, hyphens or underscores.')
    .describe('Name for the model, unique on this page.'),
  description: z.string().max(4_000).describe('For the model: what it does and when to use it.'),
  parameters: z.record(z.string(), z.unknown()).describe('JSON Schema of the arguments, an object schema.'),
  confirmation: z.literal('required').optional().describe('The visitor must approve each call.'),
});
export type ClientTool = z.infer<typeof ClientTool>;

/** Longest `context`, measured as JSON text. */
export const CONTEXT_CHARACTERS = 24_000;

const purposes = ['message', 'toolResults', 'toolDecisions', 'continue'] as const;

/**
 * Body of `POST /sveda/stream`. Exactly one of message, toolResults, toolDecisions and continue says what
 * the post is for. History is not among the fields: what the server stored is the only truth.
 */
export const StreamRequest = z
  .strictObject(
    {
      chatId: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe('The chat; without it a message opens a new one.'),
      message: UserMessage.optional().describe('A new message of the visitor.'),
      toolResults: z.array(ToolResultPost).min(1).max(64).optional().describe('Results of page tools.'),
      toolDecisions: z.array(ToolDecision).min(1).max(64).optional().describe('Decisions on open calls.'),
      continue: z.literal(true).optional().describe('Goes on after the step limit, an error or a cut.'),
      clientTools: z.array(ClientTool).max(64).optional().describe('Tools of the page, as they are now.'),
      context: z
        .record(z.string(), z.unknown())
        .refine(fitsContext, `The context may have at most ${CONTEXT_CHARACTERS} characters of JSON.`)
        .optional()
        .describe('What the page shows now. The model reads it as untrusted data.'),
      model: z.string().min(1).max(128).optional().describe('A model id from the embed configuration.'),
    },
    { error: (issue) => (issue.code === 'unrecognized_keys' ? strangerText(issue.keys) : undefined) },
  )
  .superRefine((body, check) => {
    const given = purposes.filter((name) => body[name] !== undefined);
    if (given.length !== 1)
      check.addIssue({ code: 'custom', message: `Send exactly one of ${purposes.join(', ')}.` });
    else if (!body.message && !body.chatId)
      check.addIssue({ code: 'custom', path: ['chatId'], message: `chatId is required with ${given[0]}.` });
    checkUnique(check, 'toolResults', body.toolResults, (one) => one.toolCallId);
    checkUnique(check, 'toolDecisions', body.toolDecisions, (one) => one.toolCallId);
    checkUnique(check, 'clientTools', body.clientTools, (one) => one.name);
  });
export type StreamRequest = z.infer<typeof StreamRequest>;

function fitsContext(context: Record<string, unknown>): boolean {
  return JSON.stringify(context).length <= CONTEXT_CHARACTERS;
}

function strangerText(keys: readonly string[] = []): string {
  const names = keys.map((key) => `"${key}"`).join(', ');
  return keys.includes('messages')
    ? `Unknown field ${names}: the server keeps the history. Send exactly one of ${purposes.join(', ')}.`
    : `Unknown field ${names}.`;
}

function checkUnique<T>(
  check: z.core.$RefinementCtx,
  field: string,
  list: readonly T[] | undefined,
  keyOf: (one: T) => string,
): void {
  const seen = new Set<string>();
  for (const [index, one] of (list ?? []).entries()) {
    const key = keyOf(one);
    if (seen.has(key))
      check.addIssue({ code: 'custom', path: [field, index], message: `"${key}" is named twice.` });
    seen.add(key);
  }
}
