import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { ConnectionFailure } from './errors.ts';
import { answeredId, readFrame } from './frame.ts';
import { LIMITS } from './limits.ts';
import { cutLines } from './lines.ts';

/** What a chunk brought: messages in their order, and then perhaps the fault that ends the conversation. */
export interface Heard {
  readonly messages: readonly JSONRPCMessage[];
  readonly fault?: ConnectionFailure;
}

/** Both sides of a conversation over stdio. */
export interface Conversation {
  /** Notes a message that we send. */
  say(message: JSONRPCMessage): void;
  /** Reads what the peer writes. After a fault nothing more is heard. */
  hear(chunk: Buffer): Heard;
  /** Bytes that the peer has left without an end of line. */
  readonly unfinished: number;
}

/**
 * One strict rule for stdout: JSON-RPC messages, a line each, and answers only to what we asked. Anything else means
 * that the two sides no longer agree on what is being said, and ends the conversation with the reason.
 */
export function newConversation(): Conversation {
  const unanswered = new Set<string | number>();
  const lines = cutLines();

  const read = (line: Buffer): JSONRPCMessage | ConnectionFailure => {
    if (line.length > LIMITS.wire) return new ConnectionFailure('answer_too_large');
    const message = readFrame(line);
    if (typeof message === 'string') return new ConnectionFailure('bad_stdout', { reason: message });
    if ('method' in message) return message;
    const id = answeredId(message);
    if (id !== undefined && unanswered.delete(id)) return message;
    return new ConnectionFailure('bad_stdout', { reason: 'an answer to no request of ours' });
  };

  return {
    say(message) {
      if ('method' in message && 'id' in message) unanswered.add(message.id);
    },
    hear(chunk) {
      const messages: JSONRPCMessage[] = [];
      for (const line of lines.push(chunk)) {
        const message = read(line);
        if (message instanceof ConnectionFailure) return { messages, fault: message };
        messages.push(message);
      }
      if (lines.pending <= LIMITS.wire) return { messages };
      return { messages, fault: new ConnectionFailure('answer_too_large') };
    },
    get unfinished() {
      return lines.pending;
    },
  };
}
