import {
  StreamableHTTPClientTransport,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from '@modelcontextprotocol/client';
import { setTimeout as pause } from 'node:timers/promises';
import { newEnd, phaseAfter, type Channel, type End } from './channel.ts';
import type { HttpDefinition } from './definition.ts';
import { ConnectionFailure, type Phase } from './errors.ts';
import { EXCHANGE, openWeb, type Web } from './fetch.ts';
import { httpFailure } from './http-failure.ts';
import { LIMITS } from './limits.ts';

/** Answers the channel to an HTTP endpoint. Nothing is sent yet. */
export function openHttp(
  definition: HttpDefinition,
  isOurs?: (address: string, port: number) => boolean,
): Channel {
  const web = openWeb(isOurs);
  let phase: Phase = 'initialize';
  let current: Wire | undefined;

  const end = newEnd(async () => {
    if (end.failure?.code === 'closed') await current?.leave();
    await current?.transport.close();
    await web.close();
    return { contained: true };
  });

  return {
    pid: undefined,
    exclusive: false,
    get phase() {
      return phase;
    },
    get failure() {
      return end.failure;
    },
    ended: end.ended,
    end: end.end,
    attach() {
      current = newWire(definition, web, end, (message) => {
        phase = phaseAfter(phase, message);
      });
      return current.transport;
    },
    started: () => undefined,
    stderr: undefined,
  };
}

/** One request of ours over HTTP, until it is answered. */
interface Post {
  readonly controller: AbortController;
  /** Its answer comes as a stream of events. */
  streaming: boolean;
}

interface Wire {
  readonly transport: Transport;
  /** Takes leave of the session, where there is one, for a short time at most. */
  leave(): Promise<void>;
}

/**
 * The SDK's transport with what it lacks: an answer that never comes, belongs to something else or grows too large ends
 * its request at once, and a cancelled request gives up its connection.
 */
function newWire(
  { url, headers }: HttpDefinition,
  web: Web,
  end: End,
  onSend: (message: object) => void,
): Wire {
  const posts = new Map<RequestId, Post>();
  const inner = new StreamableHTTPClientTransport(url, {
    fetch: web.fetch(onAnswer),
    requestInit: { headers: { ...headers } },
    onInsufficientScope: 'throw',
    ...RECONNECTION,
  });

  function onAnswer(exchange: string | undefined, news: string | ConnectionFailure): void {
    const id = Number(exchange);
    const post = posts.get(id);
    if (!post) return;
    if (typeof news === 'string') post.streaming = news.startsWith('text/event-stream');
    else settle(id, news);
  }

  function settle(id: RequestId, failure: ConnectionFailure): void {
    const post = posts.get(id);
    if (!posts.delete(id)) return;
    post?.controller.abort();
    const error = { code: -32_000, message: failure.message, data: failure };
    transport.onmessage?.({ jsonrpc: '2.0', id, error });
  }

  async function request(
    message: JSONRPCMessage & { id: RequestId },
    options: TransportSendOptions,
  ): Promise<void> {
    const { id } = message;
    const controller = new AbortController();
    const post: Post = { controller, streaming: false };
    posts.set(id, post);
    const signals = [controller.signal, options.requestSignal].filter((signal) => signal !== undefined);
    await inner.send(message, {
      ...options,
      headers: { ...options.headers, [EXCHANGE]: String(id) },
      requestSignal: AbortSignal.any(signals),
      onRequestStreamEnd: () =>
        settle(id, new ConnectionFailure('unreachable', { reason: 'the answer broke off' })),
    });
    if (!post.streaming)
      settle(id, new ConnectionFailure('answer_malformed', { reason: 'no answer to the request' }));
  }

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
        await ('method' in message && 'id' in message
          ? request(message, options)
          : inner.send(message, options));
      } catch (error) {
        if ('id' in message && message.id !== undefined) posts.delete(message.id);
        const failure = httpFailure(error, inner.sessionId !== undefined);
        if (failure.code === 'session_lost') void end.end(failure, 0);
        throw failure;
      }
    },
    async close() {
      await inner.close();
    },
  };

  inner.onmessage = (message) => {
    if ('method' in message) return transport.onmessage?.(message);
    if (message.id !== undefined && posts.delete(message.id)) transport.onmessage?.(message);
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
