import {
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { setTimeout as pause } from 'node:timers/promises';
import type { End } from './channel.ts';
import type { HttpDefinition } from './definition.ts';
import { ConnectionFailure } from './errors.ts';
import { EXCHANGE, type Web } from './fetch.ts';
import { httpFailure } from './http-failure.ts';
import { LIMITS } from './limits.ts';
import { newPosts, type Posts } from './posts.ts';

/** One session over HTTP. */
export interface Wire {
  readonly transport: Transport;
  /** Takes leave of the session, where there is one, for a short time at most. */
  leave(): Promise<void>;
}

/**
 * The SDK's transport with what it lacks: an answer that never comes, belongs to something else or grows too large ends
 * its request at once, and a cancelled request gives up its connection.
 */
export function newWire(
  { url, headers }: HttpDefinition,
  web: Web,
  end: End,
  onSend: (message: object) => void,
): Wire {
  const posts = newPosts((id, failure) => {
    const error = { code: -32_000, message: failure.message, data: failure };
    transport.onmessage?.({ jsonrpc: '2.0', id, error });
  });
  const inner = new StreamableHTTPClientTransport(url, {
    fetch: web.fetch((exchange, news) => {
      if (news instanceof ConnectionFailure) posts.settle(Number(exchange), news);
      else posts.setStreaming(Number(exchange), news === 'events');
    }),
    requestInit: { headers: { ...headers } },
    onInsufficientScope: 'throw',
    ...RECONNECTION,
  });

  let answers = 0;
  /** Answers a request of the peer. One that takes none of our answers could make us hold sockets without number. */
  const answer = async (message: JSONRPCMessage, options: TransportSendOptions) => {
    if (answers >= LIMITS.answers) {
      void end.end(new ConnectionFailure('unreachable', { reason: 'it does not take our answers' }), 0);
      return;
    }
    answers += 1;
    try {
      await inner.send(message, options);
    } finally {
      answers -= 1;
    }
  };
  const pass = (message: JSONRPCMessage, options: TransportSendOptions) => {
    if (!('method' in message)) return answer(message, options);
    return 'id' in message ? post(inner, posts, message, options) : inner.send(message, options);
  };

  const transport: Transport = {
    hasPerRequestStream: true,
    get sessionId() {
      return inner.sessionId;
    },
    start: () => inner.start(),
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
    async send(message, options = {}) {
      if (end.failure) throw end.failure;
      onSend(message);
      try {
        await pass(message, options);
      } catch (error) {
        const failure = httpFailure(error, inner.sessionId !== undefined);
        if (failure.code === 'session_lost') void end.end(failure, 0);
        throw failure;
      }
    },
    close: () => inner.close(),
  };
  inner.onmessage = (message) => {
    if ('method' in message || posts.close(message.id)) transport.onmessage?.(message);
  };
  inner.onclose = () => transport.onclose?.();

  return {
    transport,
    async leave() {
      const left = inner.terminateSession().catch(() => undefined);
      await Promise.race([left, pause(LIMITS.leave, undefined, { ref: false })]);
    },
  };
}

type OurRequest = JSONRPCMessage & { readonly id: RequestId };

/** Sends a request and sees to it that it is answered. */
async function post(
  inner: StreamableHTTPClientTransport,
  posts: Posts,
  message: OurRequest,
  options: TransportSendOptions,
): Promise<void> {
  const { id } = message;
  const held = posts.open(id, options.requestSignal);
  const brokeOff = () => {
    held.over();
    posts.settle(id, new ConnectionFailure('unreachable', { reason: 'the answer broke off' }));
  };
  try {
    await inner.send(message, {
      ...options,
      headers: { ...options.headers, [EXCHANGE]: String(id) },
      requestSignal: held.signal,
      onRequestStreamEnd: brokeOff,
    });
  } catch (error) {
    posts.close(id);
    throw error;
  }
  if (posts.isStreaming(id)) return;
  posts.settle(id, new ConnectionFailure('answer_malformed', { reason: 'no answer to the request' }));
}

/** A broken stream of events is taken up again where the peer numbers its events, but never in haste. */
const RECONNECTION = {
  reconnectionOptions: {
    initialReconnectionDelay: 250,
    maxReconnectionDelay: 5_000,
    reconnectionDelayGrowFactor: 2,
    maxRetries: 2,
  },
  reconnectionScheduler: (reconnect: () => void, delay: number) => {
    const timer = setTimeout(reconnect, Math.min(Math.max(delay, 250), 30_000));
    return () => clearTimeout(timer);
  },
};
