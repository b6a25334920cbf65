import { z } from 'zod';

/** Fields that every event carries. */
const common = {
  id: z.int().min(1).describe('Sequence number over the whole turn, without gaps; also the SSE id.'),
  chatId: z.string().min(1).describe('The chat that the turn belongs to.'),
  turnId: z.string().min(1).describe('The turn; the same in all its segments, however often it waited.'),
  at: z.iso.datetime().describe('When the server stored the event, ISO 8601 in UTC.'),
};

const toolCallId = z.string().min(1).describe('The call, unique within the chat.');
const toolName = z.string().min(1).describe("The tool as the model called it: the catalogue's name.");

function event<T extends string, F extends z.ZodRawShape>(type: T, fields: F) {
  return z.strictObject({ type: z.literal(type).describe('Kind of the event.'), ...common, ...fields });
}

export const Usage = z.strictObject({
  inputTokens: z.int().min(0).describe('Tokens that the model read.'),
  outputTokens: z.int().min(0).describe('Tokens that the model wrote, reasoning included.'),
  totalTokens: z.int().min(0).describe('The sum of both.'),
});
export type Usage = z.infer<typeof Usage>;

export const FinishReason = z
  .enum(['stop', 'tool_calls', 'error', 'stopped', 'max_steps'])
  .describe(
    'stop: answered. tool_calls: waits for the page or the visitor. error: see the error event before. ' +
      'stopped: the visitor stopped it. max_steps: the step limit was reached; it can be continued.',
  );
export type FinishReason = z.infer<typeof FinishReason>;

/** A block of a tool result, as MCP has it; fields beyond these are passed on. */
export const ContentBlock = z.discriminatedUnion('type', [
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.looseObject({ type: z.literal('resource_link'), uri: z.string(), name: z.string() }),
  z.looseObject({ type: z.literal('resource'), resource: z.looseObject({ uri: z.string() }) }),
]);
export type ContentBlock = z.infer<typeof ContentBlock>;

export const ToolStatus = z
  .enum(['succeeded', 'failed', 'refused', 'denied', 'cancelled', 'uncertain'])
  .describe(
    'succeeded, failed: the tool answered. refused: never sent (unknown tool, wrong arguments, policy). ' +
      'denied: by the visitor. cancelled: closed before it was sent. uncertain: sent, its effect unknown.',
  );
export type ToolStatus = z.infer<typeof ToolStatus>;

const Task = z.strictObject({
  id: z.string().describe('The task within its call.'),
  label: z.string().describe('What it does, for people.'),
  status: z.enum(['pending', 'running', 'completed', 'failed']).describe('Where it stands.'),
  detail: z.string().optional().describe('One line about it.'),
});

export const MessageStart = event('message.start', {});
export const TextDelta = event('text.delta', { delta: z.string().min(1).describe('Text to append.') });
export const ReasoningDelta = event('reasoning.delta', {
  delta: z.string().min(1).describe('Reasoning to append; shown apart from the answer.'),
});
export const ToolCall = event('tool.call', {
  toolCallId,
  toolName,
  target: z.enum(['backend', 'frontend']).describe('frontend: a handler of the page runs it.'),
  input: z.record(z.string(), z.unknown()).describe('The whole arguments, never a part of them.'),
  confirmation: z.literal('required').optional().describe('Nothing runs before a tool.decision.'),
});
export const ToolDecisionMade = event('tool.decision', {
  toolCallId,
  decision: z.enum(['approve', 'deny']).describe("The visitor's decision, taken once."),
  reason: z.string().optional().describe('What the visitor gave as reason.'),
});
export const ToolProgress = event('tool.progress', {
  toolCallId,
  message: z.string().optional().describe('What goes on, for people.'),
  progress: z.number().optional().describe('How far it is, growing.'),
  total: z.number().optional().describe('What `progress` runs to, where known.'),
  tasks: z.array(Task).optional().describe('All tasks of a call that runs several.'),
});
export const ToolResult = event('tool.result', {
  toolCallId,
  toolName,
  status: ToolStatus,
  content: z.array(ContentBlock).describe('Content blocks, as the tool gave them.'),
  structuredContent: z.unknown().optional().describe('Structured content, where the tool gave some.'),
});
export const ContextUsage = event('context.usage', {
  usedTokens: z.int().min(0).describe("Tokens of the model's context in use after this step."),
  maxTokens: z.int().min(1).describe("Size of the model's context."),
  percent: z.number().min(0).describe('The first of the second, with one decimal.'),
});
export const ChatTitle = event('chat.title', { title: z.string().min(1).describe('New title of the chat.') });
export const MaxSteps = event('max_steps', {
  maxSteps: z.int().min(1).describe('The limit that was reached; `continue` goes on.'),
});
export const Notice = event('notice', {
  code: z.string().min(1).describe('Stable word to branch on, for example tools_unavailable.'),
  message: z.string().min(1).describe('One sentence for people beside the answer, which goes on.'),
});
export const ErrorEvent = event('error', {
  code: z.string().min(1).describe('Stable word to branch on, for example model_unavailable.'),
  message: z.string().min(1).describe('One sentence for people; never the text of another system.'),
  retryable: z.boolean().describe('Trying again later may succeed.'),
});
export const MessageEnd = event('message.end', {
  finishReason: FinishReason,
  usage: Usage.optional().describe("The model's usage in this segment, where the model told it."),
});

/** Any event of a stream. */
export const SvedaEvent = z.discriminatedUnion('type', [
  MessageStart,
  TextDelta,
  ReasoningDelta,
  ToolCall,
  ToolDecisionMade,
  ToolProgress,
  ToolResult,
  ContextUsage,
  ChatTitle,
  MaxSteps,
  Notice,
  ErrorEvent,
  MessageEnd,
]);
export type SvedaEvent = z.infer<typeof SvedaEvent>;
export type EventType = SvedaEvent['type'];
/** The event of one type: `EventOf<'tool.call'>`. */
export type EventOf<T extends EventType> = Extract<SvedaEvent, { type: T }>;
