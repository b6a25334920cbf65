import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { ConnectionFailure } from './errors.ts';
import { LIMITS } from './limits.ts';

/** How far the peer is, in its own measure. */
export interface Progress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

/** An answer as it came: a JSON object, judged by those who asked. */
export type Answer = Readonly<Record<string, unknown>>;

/** Requests of ours that wait for their answers. */
export interface Pending {
  /** Waits for the answer to a request. */
  wait(id: RequestId, onProgress: ((progress: Progress) => void) | undefined): Promise<Answer>;
  /** True when a message belonged to one of them. */
  take(message: JSONRPCMessage): boolean;
  fail(id: RequestId, error: unknown): void;
  failAll(error: unknown): void;
  forget(id: RequestId): void;
}

interface Waiting {
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** Nothing waits yet. */
export function newPending(): Pending {
  const waiting = new Map<RequestId, Waiting>();

  const takeProgress = (params: object | undefined): boolean => {
    const { progressToken, ...progress } = { ...params } as { progressToken?: RequestId } & Progress;
    const request = progressToken === undefined ? undefined : waiting.get(progressToken);
    request?.onProgress?.(progress);
    return request !== undefined;
  };

  return {
    wait: (id, onProgress) =>
      new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject, onProgress });
      }),
    take(message) {
      if ('method' in message) {
        return message.method === 'notifications/progress' && takeProgress(message.params);
      }
      const request = message.id === undefined ? undefined : waiting.get(message.id);
      if ('result' in message) request?.resolve(message.result);
      else request?.reject(failureOf(message.error));
      return request !== undefined;
    },
    fail: (id, error) => waiting.get(id)?.reject(error),
    failAll(error) {
      for (const request of waiting.values()) request.reject(error);
    },
    forget: (id) => void waiting.delete(id),
  };
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
