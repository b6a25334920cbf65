import type { SvedaEvent } from '@sveda-ai/protocol/events';
import type { Part, ToolPart } from './state.ts';

/** The parts of an answer after one more event. */
export function takePart(parts: readonly Part[], event: SvedaEvent): readonly Part[] {
  switch (event.type) {
    case 'text.delta':
      return appendText(parts, 'text', event.delta);
    case 'reasoning.delta':
      return appendText(parts, 'reasoning', event.delta);
    case 'notice':
      return [...parts, { kind: 'notice', text: event.message }];
    case 'tool.call': {
      const { toolCallId, toolName, target, input, confirmation } = event;
      return [
        ...parts,
        { kind: 'tool', toolCallId, toolName, target, input, ...(confirmation && { confirmation }) },
      ];
    }
    case 'tool.decision':
      return changeCall(parts, event.toolCallId, { decision: event.decision });
    case 'tool.progress':
      return changeCall(parts, event.toolCallId, { progress: event });
    case 'tool.result':
      return changeCall(parts, event.toolCallId, { result: event });
    default:
      return parts;
  }
}

function appendText(parts: readonly Part[], kind: 'text' | 'reasoning', delta: string): readonly Part[] {
  const last = parts.at(-1);
  if (last?.kind !== kind) return [...parts, { kind, text: delta }];
  return [...parts.slice(0, -1), { kind, text: last.text + delta }];
}

function changeCall(parts: readonly Part[], toolCallId: string, change: Partial<ToolPart>): readonly Part[] {
  return parts.map((part) =>
    part.kind === 'tool' && part.toolCallId === toolCallId ? { ...part, ...change } : part,
  );
}
