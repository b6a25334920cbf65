import { errorResult, type TurnEvent } from '@portolan/agent';
import type { ToolResultPost } from '@sveda-ai/protocol';

/** What a handler of the page returned, as the result of its call. */
export function pageResult(post: ToolResultPost): Extract<TurnEvent, { type: 'result' }> {
  const { toolCallId: callId } = post;
  if ('error' in post) return { type: 'result', callId, outcome: 'failed', result: errorResult(post.error) };
  const text = typeof post.output === 'string' ? post.output : JSON.stringify(post.output ?? null);
  const structured = isObject(post.output) ? { structuredContent: post.output } : {};
  return {
    type: 'result',
    callId,
    outcome: 'succeeded',
    result: { content: [{ type: 'text', text }], ...structured },
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
