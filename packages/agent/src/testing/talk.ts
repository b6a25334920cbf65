import type { ToolResult } from '@portolan/mcp/tool';
import type { TurnEvent } from '../events.ts';
import { scripted } from '../models/scripted.ts';
import type { Reply } from '../models/reply.ts';
import type { Turn } from '../run.ts';
import type { CallContext, OfferedTool, ToolSource } from '../tools.ts';
import { openTranscript, type Transcript } from '../transcript.ts';
import { runTurn } from '../turn.ts';

type Handler = (input: Readonly<Record<string, unknown>>, call: CallContext) => unknown;

/** A tool for tests: what it answers becomes text, an Error is thrown. */
export interface TestTool extends Partial<OfferedTool> {
  readonly run?: Handler;
}

/** A tool source out of handlers by name. */
export function toolsOf(tools: Readonly<Record<string, TestTool>>): ToolSource {
  return {
    list: async () =>
      Object.entries(tools).map(([name, tool]) => ({
        name,
        description: tool.description ?? '',
        inputSchema: tool.inputSchema ?? { type: 'object' },
        confirmation: tool.confirmation,
        runs: tool.runs,
      })),
    async call(name, input, call): Promise<ToolResult> {
      const value = await tools[name]?.run?.(input, call);
      if (typeof value === 'object' && value !== null && 'content' in value) return value as ToolResult;
      return { content: [{ type: 'text', text: String(value) }] };
    },
  };
}

/** A talk with a model: everything that a turn needs, with the given things in place. */
export function talkWith(replies: readonly Reply[], given: Partial<Turn> = {}): Turn {
  let ids = 0;
  return {
    route: { candidates: [scripted(replies)] },
    instructions: 'You help.',
    transcript: talkOf('Which harbours are near Tallinn?'),
    tools: [],
    validate: () => undefined,
    newId: () => `own${++ids}`,
    signal: new AbortController().signal,
    observe: () => {},
    ...given,
  };
}

/** A transcript with one message. */
export function talkOf(text: string): Transcript {
  const transcript = openTranscript();
  transcript.take({ type: 'message', parts: [{ type: 'text', text }] });
  return transcript;
}

/** Every event of a run; `seen` is told of each before the next is asked for. */
export async function eventsOf(turn: Turn, seen?: (event: TurnEvent) => void): Promise<TurnEvent[]> {
  const events: TurnEvent[] = [];
  for await (const event of runTurn(turn)) {
    events.push(event);
    seen?.(event);
  }
  return events;
}

/** Text that the model said in these events. */
export function saidIn(events: readonly TurnEvent[]): string {
  return events.map((event) => (event.type === 'text' ? event.delta : '')).join('');
}

/** Ids (or other facts) of events of one type, in order. */
export function outline(events: readonly TurnEvent[]): string[] {
  return events
    .filter(({ type }) => type !== 'text' && type !== 'reasoning' && type !== 'reasoning.mark')
    .map((event) => {
      if (event.type === 'result') return `result ${event.callId} ${event.outcome}`;
      if (event.type === 'start') return `start ${event.callIds.join(' ')}`;
      if (event.type === 'step.end') return `step.end ${event.ended}`;
      if (event.type === 'turn.end') return `turn.end ${event.reason}`;
      if (event.type === 'progress') return `progress ${event.callId} ${event.message ?? ''}`;
      return event.type;
    });
}
