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
import { newPending, type Answer, type Pending, type Progress } from './pending.ts';

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

/** What every request says about us from 2026-07-28 on; undefined before. */
export type Envelope = Readonly<Record<string, unknown>> | undefined;

/** Our requests beside those of the SDK's client, on one transport. */
export interface Requests {
  /** What the SDK's client is connected to. */
  readonly transport: Transport;
  /** Sends a request. Throws `ConnectionFailure`, or the signal's reason. */
  readonly ask: (request: Request, envelope: Envelope) => Promise<Answer>;
}

/** The ids of the SDK's client count from zero. */
const FIRST_ID = 1_000_000;

/**
 * Puts our own requests on a transport: the SDK's client would judge whole answers by its own schemas, and fail a list
 * of tools for one of them. Everything else that comes goes to that client.
 */
export function shareTransport(inner: Transport): Requests {
  const pending = newPending();
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
    if (!pending.take(message) && !isNews(message)) transport.onmessage?.(message, extra);
  };
  inner.onclose = () => {
    pending.failAll(new ConnectionFailure('closed'));
    transport.onclose?.();
  };
  return { transport, ask: (request, envelope) => ask(inner, pending, ++lastId, request, envelope) };
}

/**
 * News of the peer that nobody here acts upon, like changes of its lists: a flood of it must cost little. What remains
 * for the client are requests, answers and the peer's cancelling of its own requests.
 */
function isNews(message: JSONRPCMessage): boolean {
  return 'method' in message && !('id' in message) && message.method !== 'notifications/cancelled';
}

/** What every request says about us from 2026-07-28 on. */
export function envelopeOf(revision: string, clientInfo: object, capabilities: object): Envelope {
  return {
    [PROTOCOL_VERSION_META_KEY]: revision,
    [CLIENT_INFO_META_KEY]: clientInfo,
    [CLIENT_CAPABILITIES_META_KEY]: capabilities,
  };
}

async function ask(
  inner: Transport,
  pending: Pending,
  id: number,
  { method, params, headers, signal, onProgress }: Request,
  envelope: Envelope,
): Promise<Answer> {
  signal?.throwIfAborted();
  const { _meta: given } = params;
  const meta = {
    ...(given as object | undefined),
    ...envelope,
    ...(onProgress && { progressToken: id }),
  };
  const full = Object.keys(meta).length > 0 ? { ...params, _meta: meta } : params;
  const giveUp = () => {
    pending.fail(id, signal?.reason);
    // A peer of 2026-07-28 is told by the end of its connection.
    if (!envelope) void tellCancelled(inner, id);
  };
  signal?.addEventListener('abort', giveUp, { once: true });
  try {
    const answer = pending.wait(id, onProgress);
    const sent = inner.send({ jsonrpc: '2.0', id, method, params: full }, { headers, requestSignal: signal });
    sent.catch((error: unknown) => pending.fail(id, error));
    return await answer;
  } finally {
    pending.forget(id);
    signal?.removeEventListener('abort', giveUp);
  }
}

async function tellCancelled(inner: Transport, requestId: RequestId): Promise<void> {
  const params = { requestId, reason: 'no longer wanted' };
  const requestSignal = AbortSignal.timeout(LIMITS.leave);
  await inner
    .send({ jsonrpc: '2.0', method: 'notifications/cancelled', params }, { requestSignal })
    .catch(() => undefined);
}
