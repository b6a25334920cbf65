import type { Reply } from '../models/reply.ts';
import { chatWire } from './chat-wire.ts';
import { messagesWire } from './messages-wire.ts';
import { responsesWire } from './responses-wire.ts';
import type { Wire } from './wire.ts';

/** What the fake model server answers once. */
export type ServerReply = Omit<Reply, 'when'> & {
  /** Headers besides the usual ones, for example `retry-after`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Bytes of each HTTP chunk; absent: one chunk an event. */
  readonly chunkBytes?: number;
  /** Splits the body once, at this byte. */
  readonly splitAt?: number;
  /** Milliseconds between two chunks; absent: all at once. */
  readonly paceMs?: number;
  /** Asked before each chunk, by its number from 0: what it answers is awaited. */
  readonly before?: (chunk: number) => Promise<void> | undefined;
  /** Lines end with CR LF. */
  readonly crlf?: boolean;
};

const wires: Readonly<Record<string, Wire>> = {
  '/v1/chat/completions': chatWire,
  '/v1/responses': responsesWire,
  '/v1/messages': messagesWire,
};

/** The wire that is spoken at a path. */
export function wireAt(path: string): Wire | undefined {
  return wires[path];
}

/** The body of an answer, in the chunks in which it is sent. */
export function chunksOf(reply: ServerReply, wire: Wire): Iterable<Uint8Array> {
  const events = wire({
    reasoning: reply.reasoning,
    text: reply.text,
    calls: reply.calls,
    broken: reply.fault !== undefined,
  });
  if (reply.fault === 'malformed') events.push('data: {"id": \n\n');
  const lines = reply.crlf ? events.map((event) => event.replaceAll('\n', '\r\n')) : events;
  const body = Buffer.from(lines.join(''), 'utf8');
  if (reply.splitAt !== undefined) return [body.subarray(0, reply.splitAt), body.subarray(reply.splitAt)];
  return reply.chunkBytes ? pieces(body, reply.chunkBytes) : lines.map((line) => Buffer.from(line, 'utf8'));
}

function* pieces(body: Buffer, size: number): Generator<Uint8Array> {
  for (let at = 0; at < body.length; at += size) yield body.subarray(at, at + size);
}
