import { errorResult, type TurnEvent } from '@portolan/agent';
import type { ToolResultPost } from '@sveda-ai/protocol';

/** Bytes of one result, as of one that an MCP server gives: it is stored, streamed, and read again with its chat. */
const MOST = 1024 * 1024;

/** What a handler of the page returned, as the result of its call. One that is too large is a failure of the handler. */
export function pageResult(post: ToolResultPost): Extract<TurnEvent, { type: 'result' }> {
  const { toolCallId: callId } = post;
  if ('error' in post) return { type: 'result', callId, outcome: 'failed', result: errorResult(post.error) };
  const text = typeof post.output === 'string' ? post.output : JSON.stringify(post.output ?? null);
  if (Buffer.byteLength(text) > MOST) {
    const result = errorResult('The result of the page is over 1 MiB. The tool may have had its effects.');
    return { type: 'result', callId, outcome: 'failed', result };
  }
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
