import type { RequestId } from '@modelcontextprotocol/client';
import type { ConnectionFailure } from './errors.ts';

/** Requests of ours over HTTP that are not answered yet. */
export interface Posts {
  /** Notes a request; the signal ends it, or is ended with it. */
  open(id: RequestId, caller: AbortSignal | undefined): AbortSignal;
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
  streaming: boolean;
}

/** No request is open yet. `answer` gets the failures that stand for answers. */
export function newPosts(answer: (id: RequestId, failure: ConnectionFailure) => void): Posts {
  const open = new Map<RequestId, Post>();
  return {
    open(id, caller) {
      const controller = new AbortController();
      open.set(id, { controller, streaming: false });
      return caller ? AbortSignal.any([controller.signal, caller]) : controller.signal;
    },
    close: (id) => id !== undefined && open.delete(id),
    setStreaming(id, streaming) {
      const post = open.get(id);
      if (post) post.streaming = streaming;
    },
    isStreaming: (id) => open.get(id)?.streaming ?? false,
    settle(id, failure) {
      const post = open.get(id);
      if (!post) return;
      open.delete(id);
      post.controller.abort();
      answer(id, failure);
    },
  };
}
