/**
 * Constants of the wire and the types of everything that travels, without a line of zod:
 * the door for browsers (`@sveda-ai/protocol/events`). Types vanish when they are built.
 */

import type { EventType } from './events.ts';

/** Version of stream grammar and request bodies, sent in {@link HEADERS.protocolVersion} of every stream. */
export const PROTOCOL_VERSION = '1';

/** Header names, lower case as Node and browsers compare them. */
export const HEADERS = {
  /** The visitor's embed token, on every visitor route. */
  embedToken: 'x-sveda-embed-token',
  /** The host backend's key, on mint and revoke. */
  hostKey: 'x-sveda-host-key',
  /** The operator's key, on admin routes. */
  adminKey: 'x-sveda-admin-key',
  /** The grammar that a stream follows: {@link PROTOCOL_VERSION}. */
  protocolVersion: 'x-sveda-protocol-version',
} as const;

/** Data of the line that closes every stream, after message.end. It is no event and carries no id. */
export const DONE = '[DONE]';

/** The type of every event, in the order in which a simple turn meets them. */
export const EVENT_TYPES = [
  'message.start',
  'text.delta',
  'reasoning.delta',
  'tool.call',
  'tool.decision',
  'tool.progress',
  'tool.result',
  'context.usage',
  'chat.title',
  'max_steps',
  'notice',
  'error',
  'message.end',
] as const satisfies readonly EventType[];

export type {
  ContentBlock,
  EventOf,
  EventType,
  FinishReason,
  SvedaEvent,
  ToolStatus,
  Usage,
} from './events.ts';
export type {
  ClientTool,
  MessageFile,
  StreamRequest,
  ToolDecision,
  ToolResultPost,
  UserMessage,
} from './stream-request.ts';
export type { ChatDetail, ChatPage, ChatSummary, StoredTurn, TurnStatus } from './chats.ts';
export type { ErrorBody, ErrorCode } from './errors.ts';
