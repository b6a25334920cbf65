import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/client';
import { ConnectionFailure } from './errors.ts';
import { LIMITS } from './limits.ts';

/** How far the peer is, in its own measure. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** One request of ours. */
export interface Request {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** HTTP headers that mirror parameters (2026-07-28). */
  readonly headers?: Readonly<Record<string, string>>;
  /** Gives the request up: the peer is told, and an HTTP request is closed. */
  readonly signal?: AbortSignal;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** An answer as it came: a JSON object, judged by those who asked. */
export type Answer = Readonly<Record<string, unknown>>;

/** Our requests beside those of the SDK's client, on one transport. */
export interface Requests {
  /** What the SDK's client is connected to. */
  readonly transport: Transport;
  /** Sends a request. Throws `ConnectionFailure`, or the signal's reason. */
  ask(request: Request, envelope: Readonly<Record<string, unknown>> | undefined): Promise<Answer>;
}

interface Pending {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
  readonly onProgress: Request['onProgress'];
}

/** The ids of the SDK's client count from zero. */
const FIRST_ID = 1_000_000;

/**
 * Puts our own requests on a transport: the SDK's client would judge whole answers by its own schemas, and fail a list
 * of tools for one of them. Everything else that comes goes to that client.
 */
export function shareTransport(inner: Transport): Requests {
  const pending = new Map<RequestId, Pending>();
  let lastId = FIRST_ID;

  const transport: Transport = {
    get sessionId() {
      return inner.sessionId;
    },
    start: () => inner.start(),
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
    setProtocolVersion: (version) => inner.setProtocolVersion?.(version),
    ...(inner.hasPerRequestStream && { hasPerRequestStream: true }),
  };

  inner.onmessage = (message, extra) => {
    if (!take(message, pending)) transport.onmessage?.(message, extra);
  };
  inner.onclose = () => {
    for (const request of pending.values()) request.reject(new ConnectionFailure('closed'));
    pending.clear();
    transport.onclose?.();
  };

  return {
    transport,
    async ask({ method, params, headers, signal, onProgress }, envelope) {
      signal?.throwIfAborted();
      const id = ++lastId;
      const meta = { ...envelope, ...(onProgress && { progressToken: id }) };
      const full = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
      const giveUp = () => {
        pending.get(id)?.reject(signal?.reason);
        // A peer of 2026-07-28 is told by the end of its connection.
        if (!envelope) void cancel(inner, id);
      };
      try {
        return await new Promise<Answer>((resolve, reject) => {
          pending.set(id, { resolve, reject, onProgress });
          signal?.addEventListener('abort', giveUp, { once: true });
          const message = { jsonrpc: '2.0' as const, id, method, params: full };
          inner.send(message, { headers, requestSignal: signal }).catch(reject);
        });
      } finally {
        pending.delete(id);
        signal?.removeEventListener('abort', giveUp);
      }
    },
  };
}

/** What every request says about us from 2026-07-28 on. */
export function envelopeOf(
  revision: string,
  clientInfo: object,
  capabilities: object,
): Record<string, unknown> {
  return {
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  };
}

/** True when a message belongs to a request of ours. */
function take(message: JSONRPCMessage, pending: Map<RequestId, Pending>): boolean {
  if ('method' in message)
    return message.method === 'notifications/progress' && takeProgress(message.params, pending);
  const request = message.id === undefined ? undefined : pending.get(message.id);
  if (!request) return false;
  if ('result' in message) request.resolve(message.result);
  else request.reject(failureOf(message.error));
  return true;
}

function takeProgress(params: object | undefined, pending: Map<RequestId, Pending>): boolean {
  const { progressToken, ...progress } = { ...params } as { progressToken?: RequestId } & Progress;
  const request = progressToken === undefined ? undefined : pending.get(progressToken);
  request?.onProgress?.(progress);
  return request !== undefined;
}

/** An error answer: the peer's, or one that the channel gave in its place. */
function failureOf({
  code,
  message,
  data,
}: {
  code: number;
  message: string;
  data?: unknown;
}): ConnectionFailure {
  if (data instanceof ConnectionFailure) return data;
  const peer = { code, message: message.slice(0, LIMITS.peerMessage) };
  return new ConnectionFailure('peer_error', { reason: `code ${code}`, peer });
}

async function cancel(inner: Transport, requestId: RequestId): Promise<void> {
  const params = { requestId, reason: 'no longer wanted' };
  await inner.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }).catch(() => undefined);
}
