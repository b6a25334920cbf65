import { ProtocolError, SdkError, SdkErrorCode, type Client } from '@modelcontextprotocol/client';
import { z } from 'zod';
import type { Channel } from './channel.ts';
import { requireTime, type Deadline } from './deadline.ts';
import { ConnectionFailure, type FailureCode } from './errors.ts';
import { LIMITS } from './limits.ts';

/** The SDK's own timer, out of the way: `Deadline` measures. Longest delay of setTimeout. */
const NEVER = 2 ** 31 - 1;

/** One request of ours. */
export interface Exchange {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly deadline: Deadline;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Answers are judged by those who asked: the SDK would fail a whole tool list for one tool. */
const Answer = z.looseObject({});

/** How far the peer is, in its own measure. */
export interface Progress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/**
 * Sends a request and waits for its answer. Where the channel is exclusive, the end of the time ends the channel, and
 * this reports only after that; else it ends the request alone. Throws `ConnectionFailure`.
 */
export async function exchange(
  channel: Channel,
  client: Client,
  { method, params, deadline, onProgress }: Exchange,
): Promise<Readonly<Record<string, unknown>>> {
  requireTime(deadline);
  const breakOff = () =>
    void channel.end(new ConnectionFailure(deadline.reached() ?? 'cancelled'), LIMITS.graceFailed);
  if (channel.exclusive) deadline.signal.addEventListener('abort', breakOff, { once: true });
  try {
    return await client.request({ method, params }, Answer, {
      timeout: NEVER,
      ...(!channel.exclusive && { signal: deadline.signal }),
      ...(onProgress && { onprogress: onProgress }),
    });
  } catch (error) {
    throw await explain(error, channel, deadline);
  } finally {
    deadline.signal.removeEventListener('abort', breakOff);
  }
}

/** What a failed exchange means. Waits until an ended channel has looked for its processes. */
export async function explain(
  error: unknown,
  channel: Channel,
  deadline: Deadline,
): Promise<ConnectionFailure> {
  if (channel.failure) {
    const { failure, containment } = await channel.ended;
    if (containment.contained) return failure.with({ containment });
    return new ConnectionFailure('not_contained', { containment, cause: failure });
  }
  const why = deadline.reached();
  return why ? new ConnectionFailure(why, { cause: error }) : translate(error);
}

/** The SDK's errors in our words. What a peer said stays apart from them. */
function translate(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error;
  if (error instanceof ProtocolError) return fromPeer(error);
  const code = error instanceof SdkError ? CODES[error.code] : undefined;
  if (code) return new ConnectionFailure(code, { cause: error });
  const isRevision =
    error instanceof Error && error.message.startsWith("Server's protocol version is not supported");
  return new ConnectionFailure(isRevision ? 'revision_unsupported' : 'answer_malformed', { cause: error });
}

const CODES: Partial<Record<SdkErrorCode, FailureCode>> = {
  [SdkErrorCode.UnsupportedResultType]: 'input_required',
  [SdkErrorCode.InputRequiredRoundsExceeded]: 'input_required',
  [SdkErrorCode.EraNegotiationFailed]: 'revision_unsupported',
  [SdkErrorCode.ConnectionClosed]: 'closed',
};

/** An error answer: the peer's, or one that the channel gave in its place. */
function fromPeer({ code, message, data, cause }: ProtocolError): ConnectionFailure {
  if (data instanceof ConnectionFailure) return data;
  const peer = { code, message: message.slice(0, LIMITS.peerMessage) };
  return new ConnectionFailure('peer_error', { reason: `code ${code}`, peer, cause });
}
