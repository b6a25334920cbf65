/** Tool values: definition, access and answers. Importing this door opens nothing. */
export { allows, anyone, explain, needs, scopesOf } from './access.ts';
export type { Access, Alternative, Caller } from './access.ts';
export { outcome, structured, text } from './answer.ts';
export type { AnswerShape, ContentBlock, Outcome, ToolResult } from './answer.ts';
export { toolsFor } from './define.ts';
export type { Call, Definition, Effect, Tool, ToolDescriptor } from './define.ts';
export { Misconfigured, Refusal } from './errors.ts';
export type { RefusalCode } from './errors.ts';
export { Untrusted, untrusted, untrustedBlock } from './untrusted.ts';
