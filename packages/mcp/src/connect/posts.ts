import type { RequestId } from '@modelcontextprotocol/client';
import type { ConnectionFailure } from './errors.ts';
import { LIMITS } from './limits.ts';

/** Requests of ours over HTTP that are not answered yet. */
export interface Posts {
  /** Notes a request. The signal ends what is held for it; `over` is to be told when its stream has ended. */
  open(id: RequestId, caller: AbortSignal | undefined): { readonly signal: AbortSignal; over(): void };
  /** True when this was the answer to one of them; it is one no longer. */
  close(id: RequestId | undefined): boolean;
  /** Its answer comes as a stream of events, or at once. */
  setStreaming(id: RequestId, streaming: boolean): void;
  /** True while its answer is still to come in a stream. */
  isStreaming(id: RequestId): boolean;
  /** Ends a request in the place of its answer, if it is still open. */
  settle(id: RequestId, failure: ConnectionFailure): void;
}

interface Post {
  readonly controller: AbortController;
  /** Lets go of its caller. */
  readonly forget: () => void;
  streaming: boolean;
  /** Ends a stream that goes on after its answer: each would hold a socket. */
  leaving?: NodeJS.Timeout;
}

/** No request is open yet. `answer` gets the failures that stand for answers. */
export function newPosts(answer: (id: RequestId, failure: ConnectionFailure) => void): Posts {
  const open = new Map<RequestId, Post>();

  const take = (id: RequestId | undefined): Post | undefined => {
    const post = id === undefined ? undefined : open.get(id);
    post?.forget();
    if (id !== undefined) open.delete(id);
    return post;
  };

  return {
    open(id, caller) {
      const controller = new AbortController();
      const onCancel = () => controller.abort(caller?.reason);
      if (caller?.aborted) onCancel();
      // Not AbortSignal.any: what it keeps for each signal costs more than the rest of this file.
      caller?.addEventListener('abort', onCancel, { once: true });
      const forget = () => caller?.removeEventListener('abort', onCancel);
      const post: Post = { controller, forget, streaming: false };
      open.set(id, post);
      return { signal: controller.signal, over: () => clearTimeout(post.leaving) };
    },
    close(id) {
      const post = take(id);
      if (post?.streaming) post.leaving = setTimeout(() => post.controller.abort(), LIMITS.leave).unref();
      return post !== undefined;
    },
    setStreaming(id, streaming) {
      const post = open.get(id);
      if (post) post.streaming = streaming;
    },
    isStreaming: (id) => open.get(id)?.streaming ?? false,
    settle(id, failure) {
      const post = take(id);
      if (!post) return;
      post.controller.abort();
      answer(id, failure);
    },
  };
}
