import type { ToolResult } from '@portolan/mcp/tool';
import type { Call, CallState, Outcome } from './history.ts';

/** From which state a call may be settled with which outcome. Nothing settles twice. */
const settles: Readonly<Record<CallState, readonly Outcome[]>> = {
  asking: ['cancelled'],
  denied: ['denied'],
  due: ['refused', 'cancelled'],
  running: ['succeeded', 'failed', 'uncertain'],
  page: ['succeeded', 'failed', 'refused', 'cancelled'],
  done: [],
};

/** The call after a decision. Throws when it is not asking. */
export function decided(call: Call, decision: 'approve' | 'deny', reason?: string): Call {
  if (call.state !== 'asking') throw new Error(`call ${call.callId} waits for no decision`);
  if (decision === 'deny') return { ...call, state: 'denied', ...(reason !== undefined && { reason }) };
  return { ...call, state: call.runs === 'page' ? 'page' : 'due', approved: true };
}

/** The call once it is handed to its tool. Throws when it is not due. */
export function started(call: Call): Call {
  if (call.state !== 'due') throw new Error(`call ${call.callId} is not due`);
  return { ...call, state: 'running' };
}

/** The call with its result. Throws when its state does not allow that outcome. */
export function settled(call: Call, outcome: Outcome, result: ToolResult): Call {
  if (!settles[call.state].includes(outcome))
    throw new Error(`call ${call.callId} is ${call.state}: it cannot be ${outcome}`);
  return { ...call, state: 'done', outcome, result };
}

/** What the model is told about a call that gets no result of its own. */
const closings = {
  denied: 'The user denied this call. It was not sent.',
  cancelled: 'The call was cancelled before it was sent.',
  uncertain: 'The call was sent and then broken off. Whether it took effect is not known.',
} as const;

/** The result event that closes an open call for good: told from its state, whatever happened around it. */
export function closing(call: Call): {
  type: 'result';
  callId: string;
  outcome: Outcome;
  result: ToolResult;
} {
  const outcome =
    call.state === 'denied' ? 'denied' : call.state === 'running' ? 'uncertain' : ('cancelled' as const);
  const reason = call.state === 'denied' && call.reason ? ` Their reason: ${call.reason}` : '';
  return { type: 'result', callId: call.callId, outcome, result: errorResult(closings[outcome] + reason) };
}

/** An error result in our own words. */
export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
