import {
  ChatDetail,
  ChatPage,
  ChatSummary,
  EmbedConfig,
  ExtractAnswer,
  HEADERS,
  MessageAnswer,
  MintAnswer,
  MintRequest,
  RenameRequest,
  RevokeRequest,
  StreamRequest,
  SvedaEvent,
} from '@sveda-ai/protocol';
import { z } from 'zod';

/** Who may call. */
export type Credential = 'nobody' | 'host' | 'visitor' | 'operator';

/** One route as the document describes it. Paths are written as the routes write them. */
export interface Operation {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  readonly path: string;
  readonly says: string;
  readonly credential: Credential;
  readonly body?: z.ZodType;
  /** The media type of the body where it is not JSON. */
  readonly bodyType?: string;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  readonly status: 200 | 202 | 204;
  readonly answer?: z.ZodType;
  /** The answer is a stream of server-sent events. */
  readonly streams?: true;
}

const Cursor = z.object({ cursor: z.string().optional().describe('From the page before.') });

const Health = z.object({ status: z.literal('ok'), name: z.string() });
const Ready = z.object({
  ready: z.boolean(),
  problems: z.array(z.object({ error: z.string(), message: z.string() })),
});
const Day = z.object({
  day: z.string().describe('UTC.'),
  policy: z.string().nullable(),
  segments: z.int(),
  inputTokens: z.number(),
  outputTokens: z.number(),
});

/** The header of each credential. */
export const credentials: Readonly<Record<Exclude<Credential, 'nobody'>, string>> = {
  host: HEADERS.hostKey,
  visitor: HEADERS.embedToken,
  operator: HEADERS.adminKey,
};

/** Every route below /sveda. */
export const operations: readonly Operation[] = [
  {
    method: 'post',
    path: '/sveda/embed/token',
    says: 'Mint a token for a visitor.',
    credential: 'host',
    body: MintRequest,
    status: 200,
    answer: MintAnswer,
  },
  {
    method: 'post',
    path: '/sveda/embed/token/revoke',
    says: 'End a token and its credentials.',
    credential: 'host',
    body: RevokeRequest,
    status: 200,
    answer: z.object({ revoked: z.literal(true) }),
  },
  {
    method: 'get',
    path: '/sveda/embed/config',
    says: 'What the token may do.',
    credential: 'visitor',
    status: 200,
    answer: EmbedConfig,
  },
  {
    method: 'post',
    path: '/sveda/stream',
    says: 'A message, results, decisions, or going on; answered as a stream.',
    credential: 'visitor',
    body: StreamRequest,
    status: 200,
    answer: SvedaEvent,
    streams: true,
  },
  {
    method: 'post',
    path: '/sveda/message',
    says: 'The same post, answered in one piece.',
    credential: 'visitor',
    body: StreamRequest,
    status: 200,
    answer: MessageAnswer,
  },
  {
    method: 'get',
    path: '/sveda/chats/:chatId/turns/:turnId/events',
    says: 'Join a turn: what was missed, then live.',
    credential: 'visitor',
    headers: z.object({ 'last-event-id': z.string().optional().describe('The last event that was seen.') }),
    status: 200,
    answer: SvedaEvent,
    streams: true,
  },
  {
    method: 'post',
    path: '/sveda/chats/:chatId/turns/:turnId/stop',
    says: 'Stop a turn.',
    credential: 'visitor',
    status: 202,
    answer: z.object({ turnId: z.string() }),
  },
  {
    method: 'post',
    path: '/sveda/documents/extract',
    says: 'The text of files; nothing is kept.',
    credential: 'visitor',
    body: z.object({
      files: z
        .array(z.string().meta({ format: 'binary' }))
        .min(1)
        .max(5),
    }),
    bodyType: 'multipart/form-data',
    status: 200,
    answer: ExtractAnswer,
  },
  {
    method: 'get',
    path: '/sveda/chats',
    says: "The visitor's chats, newest first.",
    credential: 'visitor',
    query: Cursor,
    status: 200,
    answer: ChatPage,
  },
  {
    method: 'delete',
    path: '/sveda/chats',
    says: 'Erase all chats of the visitor.',
    credential: 'visitor',
    status: 204,
  },
  {
    method: 'get',
    path: '/sveda/chats/:chatId',
    says: 'A chat with its last turns.',
    credential: 'visitor',
    query: Cursor,
    status: 200,
    answer: ChatDetail,
  },
  {
    method: 'patch',
    path: '/sveda/chats/:chatId',
    says: 'Rename a chat.',
    credential: 'visitor',
    body: RenameRequest,
    status: 200,
    answer: ChatSummary,
  },
  {
    method: 'delete',
    path: '/sveda/chats/:chatId',
    says: 'Erase a chat.',
    credential: 'visitor',
    status: 204,
  },
  {
    method: 'get',
    path: '/sveda/admin/usage',
    says: 'What turns have cost, by day and policy.',
    credential: 'operator',
    query: z.object({ from: z.iso.date().optional(), to: z.iso.date().optional() }),
    status: 200,
    answer: z.object({ from: z.string(), to: z.string(), days: z.array(Day) }),
  },
  {
    method: 'get',
    path: '/sveda/admin/turns/:turnId/tools',
    says: 'Which tools the last segment of a turn had, and why not others.',
    credential: 'operator',
    status: 200,
    answer: z.object({ turnId: z.string(), tools: z.unknown() }),
  },
  {
    method: 'post',
    path: '/sveda/admin/reload',
    says: 'Read sveda.yaml again.',
    credential: 'operator',
    status: 200,
    answer: z.object({ reloaded: z.literal(true) }),
  },
  {
    method: 'get',
    path: '/sveda/health',
    says: 'The process answers.',
    credential: 'nobody',
    status: 200,
    answer: Health,
  },
  {
    method: 'get',
    path: '/sveda/ready',
    says: 'It can serve; 503 says what is missing.',
    credential: 'nobody',
    status: 200,
    answer: Ready,
  },
  {
    method: 'get',
    path: '/sveda/openapi.json',
    says: 'This document.',
    credential: 'nobody',
    status: 200,
    answer: z.looseObject({ openapi: z.string() }),
  },
];
