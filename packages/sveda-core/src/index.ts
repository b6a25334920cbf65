/** The browser client of Sveda. */
export { SvedaClient } from './client.ts';
export type { ClientOptions } from './client.ts';
export type { Histories } from './histories.ts';
export { reduce } from './reduce.ts';
export { SvedaToolRegistry } from './registry.ts';
export type { FrontendCall, FrontendTool, HandlerResult } from './registry.ts';
export type { Session } from './session.ts';
export type { SendOptions, SessionEvents } from './talk.ts';
export { initialState, runnable, undecided } from './state.ts';
export type {
  Action,
  AssistantMessage,
  Message,
  Part,
  SessionError,
  SessionState,
  Status,
  ToolPart,
  UserMessage,
} from './state.ts';
export { RequestError } from './transport.ts';
