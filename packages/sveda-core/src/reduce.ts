import type { EventOf, StoredTurn, SvedaEvent } from '@sveda-ai/protocol/events';
import { takePart } from './parts.ts';
import {
  initialState,
  type Action,
  type AssistantMessage,
  type SessionState,
  type UserMessage,
} from './state.ts';

/** The whole state of a session as a pure function of what happened. An event seen before changes nothing. */
export function reduce(state: SessionState, action: Action): SessionState {
  switch (action.type) {
    case 'sent': {
      const message: UserMessage = { role: 'user', text: action.text, files: action.files };
      const messages = [...state.messages, message];
      return { ...state, messages, status: 'submitted', error: undefined, turnId: undefined, lastId: 0 };
    }
    case 'posted':
      return { ...state, status: 'submitted', error: undefined };
    case 'failed':
      return { ...state, status: 'error', error: action.error };
    case 'loaded':
      return action.turns.reduce(loadTurn, { ...initialState, chatId: action.chatId, title: action.title });
    case 'event':
      return takeEvent(state, action.event);
    default:
      return action satisfies never;
  }
}

function loadTurn(state: SessionState, turn: StoredTurn): SessionState {
  const sent = reduce(state, { type: 'sent', text: turn.message.text, files: turn.message.files ?? [] });
  const streaming = {
    ...sent,
    status: turn.status === 'running' ? sent.status : 'idle',
    turnId: turn.turnId,
  } as const;
  return turn.events.reduce(takeEvent, streaming);
}

function takeEvent(state: SessionState, event: SvedaEvent): SessionState {
  const sameTurn = state.turnId === event.turnId;
  if (sameTurn && event.id <= state.lastId) return state;
  const { chatId, turnId, id } = event;
  const seen: SessionState = { ...state, chatId, turnId, lastId: id };
  switch (event.type) {
    case 'chat.title':
      return { ...seen, title: event.title };
    case 'message.start':
      return withAnswer({ ...seen, status: 'streaming' }, (answer) => ({ ...answer, error: undefined }));
    case 'message.end':
      return withAnswer({ ...seen, ...ended(seen, event) }, (answer) => ({
        ...answer,
        finishReason: event.finishReason,
        ...(event.usage && { usage: event.usage }),
      }));
    case 'error': {
      const { code, message, retryable } = event;
      const error = { code, message, retryable };
      return withAnswer({ ...seen, error }, (answer) => ({ ...answer, error }));
    }
    default:
      return withAnswer(seen, (answer) => ({ ...answer, parts: takePart(answer.parts, event) }));
  }
}

function ended(
  state: SessionState,
  { finishReason }: EventOf<'message.end'>,
): Pick<SessionState, 'status' | 'error'> {
  if (finishReason === 'tool_calls') return { status: 'waiting', error: undefined };
  return finishReason === 'error'
    ? { status: 'error', error: state.error }
    : { status: 'idle', error: undefined };
}

/** Changes the message of the current turn, making it when it is not there yet. */
function withAnswer(
  state: SessionState,
  change: (answer: AssistantMessage) => AssistantMessage,
): SessionState {
  const last = state.messages.at(-1);
  const turnId = state.turnId ?? '';
  const continues = last?.role === 'assistant' && last.turnId === turnId;
  const before = continues ? state.messages.slice(0, -1) : state.messages;
  const answer: AssistantMessage = continues ? last : { role: 'assistant', turnId, parts: [] };
  return { ...state, messages: [...before, change(answer)] };
}
