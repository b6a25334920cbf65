import type { Call, OutsideEvent, TurnEvent } from '@portolan/agent';
import {
  ToolProgress,
  type ContentBlock,
  type EventOf,
  type EventType,
  type FinishReason,
  type SvedaEvent,
} from '@sveda-ai/protocol';

/** An event before it has its number, its turn and its time. */
export type Draft = { [T in EventType]: Omit<EventOf<T>, 'id' | 'chatId' | 'turnId' | 'at'> }[EventType];

/** What the visitor is told beside the answer. */
export type Notice = Pick<EventOf<'notice'>, 'code' | 'message'>;

/** What a step's events need beyond themselves. */
export interface Wording {
  /** Size of the model's context, in tokens. */
  readonly contextTokens: number;
}

/** What the visitor sees of an event of the loop. */
export function draftsOf(
  event: TurnEvent | OutsideEvent,
  call: (callId: string) => Call | undefined,
  wording: Wording,
): Draft[] {
  switch (event.type) {
    case 'text':
      return [{ type: 'text.delta', delta: event.delta }];
    case 'reasoning':
      return [{ type: 'reasoning.delta', delta: event.delta }];
    case 'step.end':
      return [...event.calls.map(callDraft), ...usageDraft(event.usage, wording)];
    case 'decision': {
      const { callId, decision, reason } = event;
      return [
        { type: 'tool.decision', toolCallId: callId, decision, ...(reason !== undefined && { reason }) },
      ];
    }
    case 'progress': {
      const { callId, message, progress, total, detail } = event;
      const tasks = ToolProgress.shape.tasks.safeParse(detail).data;
      return [
        { type: 'tool.progress', toolCallId: callId, message, progress, total, ...(tasks && { tasks }) },
      ];
    }
    case 'result': {
      const { callId, outcome, result } = event;
      const made = call(callId);
      const toolName = made?.shownAs ?? made?.name ?? '';
      const { structuredContent } = result;
      const content = result.content as ContentBlock[];
      return [
        {
          type: 'tool.result',
          toolCallId: callId,
          toolName,
          status: outcome,
          content,
          ...(structuredContent !== undefined && { structuredContent }),
        },
      ];
    }
    case 'turn.end':
      return endDrafts(event);
    default:
      return [];
  }
}

/** A call at fault never waits for the page, whatever its tool: it gets a refusal as its result. */
function callDraft({ callId, name, shownAs, input, runs, state }: Call): Draft {
  return {
    type: 'tool.call',
    toolCallId: callId,
    toolName: shownAs ?? name,
    target: runs === 'page' && state !== 'due' ? 'frontend' : 'backend',
    input: { ...input },
    ...(state === 'asking' && { confirmation: 'required' }),
  };
}

function usageDraft(
  usage: Extract<TurnEvent, { type: 'step.end' }>['usage'],
  { contextTokens }: Wording,
): Draft[] {
  if (!usage) return [];
  const usedTokens = usage.inputTokens + usage.outputTokens;
  const percent = Math.round((usedTokens / contextTokens) * 1000) / 10;
  return [{ type: 'context.usage', usedTokens, maxTokens: contextTokens, percent }];
}

const finish: Readonly<Record<string, FinishReason>> = {
  answered: 'stop',
  waiting: 'tool_calls',
  stopped: 'stopped',
  max_steps: 'max_steps',
};

/** Steps that a turn may take before it asks to be continued. */
export const STEPS = 30;

function endDrafts({ reason, usage, failure }: Extract<TurnEvent, { type: 'turn.end' }>): Draft[] {
  const totalTokens = usage.inputTokens + usage.outputTokens;
  const finishReason = finish[reason] ?? 'error';
  const before: Draft[] = [];
  if (reason === 'max_steps') before.push({ type: 'max_steps', maxSteps: STEPS });
  if (failure) {
    const { code, message, retryable } = failure;
    before.push({ type: 'error', code, message, retryable });
  }
  return [...before, { type: 'message.end', finishReason, usage: { ...usage, totalTokens } }];
}

/** Numbers drafts after the last event of their turn. */
export function numbered(
  drafts: readonly Draft[],
  { chatId, turnId, lastEvent, at }: { chatId: string; turnId: string; lastEvent: number; at: Date },
): SvedaEvent[] {
  return drafts.map((draft, index) => ({
    ...draft,
    id: lastEvent + index + 1,
    chatId,
    turnId,
    at: at.toISOString(),
  }));
}
