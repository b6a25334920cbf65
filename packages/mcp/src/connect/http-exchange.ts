import { setMaxListeners } from 'node:events';
import type { Dispatcher } from 'undici';
import type { ConnectionFailure } from './errors.ts';
import { newHttpAnswer, type HttpAnswer } from './http-answer.ts';

/** A request as it goes out. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | undefined;
  readonly signal: AbortSignal | null | undefined;
}

/** Said with every request, unless the definition says otherwise: some edges refuse who says nothing. */
const OURS: Readonly<Record<string, string>> = { 'user-agent': 'portolan', 'accept-encoding': 'gzip' };

/**
 * One request and its answer, straight over the dispatcher: the Fetch Standard's algorithm around it costs more than all
 * that a connection does for a call. A redirect is an answer like any other. An answer over the limit breaks off at its
 * first byte too many, which `onTooLarge` is told. Rejects with the error of the network, or the signal's reason.
 */
export function exchangeOver(
  dispatcher: Dispatcher,
  { url, method, headers, body, signal }: HttpRequest,
  onTooLarge: (failure: ConnectionFailure) => void,
): Promise<Response> {
  for (const [name, value] of Object.entries(OURS)) if (!headers.has(name)) headers.set(name, value);
  return new Promise((resolve, reject) => {
    let current: Dispatcher.DispatchController | undefined;
    let answer: HttpAnswer | undefined;
    const giveUp = () => {
      const reason = reasonOf(signal);
      if (current) current.abort(reason);
      // It waits for a socket still.
      else reject(reason);
    };
    if (signal?.aborted) return giveUp();
    // What is only told shares the signal of its transport.
    if (signal) setMaxListeners(0, signal);
    signal?.addEventListener('abort', giveUp, { once: true });
    const over = () => signal?.removeEventListener('abort', giveUp);

    const { origin, pathname, search } = url;
    const request = { origin, path: pathname + search, method, headers: [...headers].flat(), body };
    dispatcher.dispatch(request, {
      onRequestStart(controller) {
        current = controller;
        if (signal?.aborted) controller.abort(reasonOf(signal));
      },
      onResponseStart(controller, status, received) {
        if (status < 200) return;
        answer = newHttpAnswer(controller, { status, received }, onTooLarge);
        if (answer) resolve(answer.response);
      },
      onResponseData: (_, chunk) => answer?.push(chunk),
      onResponseEnd() {
        over();
        answer?.close();
      },
      onResponseError(_, error) {
        over();
        reject(error);
        answer?.fail(error);
      },
    });
  });
}

function reasonOf(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error('given up', { cause: reason });
}
