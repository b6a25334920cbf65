import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import type { Channel } from './channel.ts';
import { requireTime, type Deadline } from './deadline.ts';
import { isDeeperThan } from './depth.ts';
import { ConnectionFailure, type FailureCode } from './errors.ts';
import { LIMITS } from './limits.ts';
import type { Answer } from './pending.ts';
import type { Request } from './requests.ts';
import type { Session } from './session.ts';

/**
 * Sends a request and waits for its answer. Where the channel is exclusive, the end of the time ends the channel, and
 * this reports only after that; else it ends the request alone. Throws `ConnectionFailure`.
 */
export async function exchange(
  channel: Channel,
  session: Session,
  deadline: Deadline,
  request: Omit<Request, 'signal'>,
): Promise<Answer> {
  requireTime(deadline);
  const breakOff = () =>
    void channel.end(new ConnectionFailure(deadline.reached() ?? 'cancelled'), LIMITS.graceFailed);
  if (channel.exclusive) deadline.signal.addEventListener('abort', breakOff, { once: true });
  try {
    const signal = channel.exclusive ? {} : { signal: deadline.signal };
    return requireComplete(await session.ask({ ...request, ...signal }));
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

/** A peer of 2026-07-28 may ask back instead of answering. What is nested without end could not be passed on. */
function requireComplete(answer: Answer): Answer {
  if (isDeeperThan(LIMITS.depth, answer)) {
    const reason = `it is nested more than ${LIMITS.depth} levels deep`;
    throw new ConnectionFailure('answer_malformed', { reason });
  }
  if (answer.resultType === undefined || answer.resultType === 'complete') return answer;
  throw new ConnectionFailure('input_required');
}

/** The SDK's errors in our words. */
function translate(error: unknown): ConnectionFailure {
  if (error instanceof ConnectionFailure) return error;
  if (error instanceof ProtocolError) {
    const peer = { code: error.code, message: error.message.slice(0, LIMITS.peerMessage) };
    return new ConnectionFailure('peer_error', { reason: `code ${error.code}`, peer, cause: error });
  }
  const code = error instanceof SdkError ? CODES[error.code] : undefined;
  if (code) return new ConnectionFailure(code, { cause: error });
  const isRevision =
    error instanceof Error && error.message.startsWith("Server's protocol version is not supported");
  return new ConnectionFailure(isRevision ? 'revision_unsupported' : 'answer_malformed', { cause: error });
}

const CODES: Partial<Record<SdkErrorCode, FailureCode>> = {
  [SdkErrorCode.EraNegotiationFailed]: 'revision_unsupported',
  [SdkErrorCode.ConnectionClosed]: 'closed',
};
