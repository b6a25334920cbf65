/** Schemas and types of everything that travels between page, sidecar and host backend. */
export { ChatDetail, ChatPage, ChatSummary, RenameRequest, StoredTurn, TurnStatus } from './chats.ts';
export { ExtractAnswer } from './documents.ts';
export { Capabilities, EmbedConfig } from './embed-config.ts';
export { ErrorBody, ErrorCode, Fault, faultsOf } from './errors.ts';
export {
  ChatTitle,
  ContentBlock,
  ContextUsage,
  ErrorEvent,
  FinishReason,
  MaxSteps,
  MessageEnd,
  MessageStart,
  Notice,
  ReasoningDelta,
  SvedaEvent,
  TextDelta,
  ToolCall,
  ToolDecisionMade,
  ToolProgress,
  ToolResult,
  ToolStatus,
  Usage,
} from './events.ts';
export type { EventOf, EventType } from './events.ts';
export { MessageAnswer } from './message-answer.ts';
export {
  HOST_MCP_URL_CHARACTERS,
  MintAnswer,
  MintRequest,
  PAIR_MESSAGE,
  RevokeRequest,
  TOKEN_TTL,
} from './mint.ts';
export type { MintBody } from './mint.ts';
export { ClientRules, McpRules, PolicyDocument } from './policy.ts';
export {
  ClientTool,
  CONTEXT_CHARACTERS,
  MessageFile,
  StreamRequest,
  ToolDecision,
  ToolResultPost,
  UserMessage,
} from './stream-request.ts';
export { DONE, EVENT_TYPES, HEADERS, PROTOCOL_VERSION } from './wire.ts';
