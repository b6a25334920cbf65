import type { EventOf, FinishReason, StoredTurn, SvedaEvent, Usage } from '@sveda-ai/protocol/events';

/** One tool call as the visitor sees it. */
export interface ToolPart {
  readonly kind: 'tool';
  readonly toolCallId: string;
  readonly toolName: string;
  readonly target: 'backend' | 'frontend';
  readonly input: Record<string, unknown>;
  readonly confirmation?: 'required';
  readonly decision?: 'approve' | 'deny';
  readonly progress?: EventOf<'tool.progress'>;
  readonly result?: EventOf<'tool.result'>;
}

export type Part = { readonly kind: 'text' | 'reasoning' | 'notice'; readonly text: string } | ToolPart;

export interface UserMessage {
  readonly role: 'user';
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly mediaType: string }[];
}

/** Everything that one turn answered, over all its segments. */
export interface AssistantMessage {
  readonly role: 'assistant';
  readonly turnId: string;
  readonly parts: readonly Part[];
  readonly finishReason?: FinishReason;
  readonly error?: SessionError;
  readonly usage?: Usage;
}

export type Message = UserMessage | AssistantMessage;

/** A failure that the visitor sees. `retryable`: `session.retry()` may help. */
export interface SessionError {
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** idle; submitted (posted, nothing came yet); streaming; waiting (for the page or the visitor); error. */
export type Status = 'idle' | 'submitted' | 'streaming' | 'waiting' | 'error';

export interface SessionState {
  readonly chatId: string | undefined;
  readonly title: string | undefined;
  readonly status: Status;
  readonly messages: readonly Message[];
  readonly error: SessionError | undefined;
  /** The turn that events belong to now, and the last event taken of it. */
  readonly turnId: string | undefined;
  readonly lastId: number;
}

export type Action =
  | { readonly type: 'sent'; readonly text: string; readonly files: UserMessage['files'] }
  | { readonly type: 'posted' }
  | { readonly type: 'failed'; readonly error: SessionError }
  | {
      readonly type: 'loaded';
      readonly chatId: string;
      readonly title: string;
      readonly turns: readonly StoredTurn[];
    }
  | { readonly type: 'event'; readonly event: SvedaEvent };

export const initialState: SessionState = {
  chatId: undefined,
  title: undefined,
  status: 'idle',
  messages: [],
  error: undefined,
  turnId: undefined,
  lastId: 0,
};

/** Calls that wait for the visitor's decision. */
export function undecided(state: SessionState): ToolPart[] {
  return openCalls(state).filter(({ confirmation, decision }) => confirmation && !decision);
}

/** Calls that a handler of the page may run now. */
export function runnable(state: SessionState): ToolPart[] {
  return openCalls(state).filter(
    ({ target, confirmation, decision }) =>
      target === 'frontend' && (!confirmation || decision === 'approve'),
  );
}

function openCalls({ messages }: SessionState): ToolPart[] {
  const last = messages.at(-1);
  if (last?.role !== 'assistant' || last.finishReason === 'stopped') return [];
  return last.parts.filter((part) => part.kind === 'tool').filter(({ result }) => !result);
}
