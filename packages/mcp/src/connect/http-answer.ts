import type { Dispatcher } from 'undici';
import { newBound } from './bounded.ts';
import { ConnectionFailure } from './errors.ts';

/** An answer whose body is still coming. */
export interface HttpAnswer {
  readonly response: Response;
  push(chunk: Uint8Array): void;
  close(): void;
  fail(error: Error): void;
}

/** The first lines of an answer. */
export interface HttpHead {
  readonly status: number;
  readonly received: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** Bytes that may wait for their reader; what comes after them waits in the network. */
const WAITING = new ByteLengthQueuingStrategy({ highWaterMark: 64 * 1024 });

/** Statuses whose answers have no body, whatever they say (Fetch Standard). */
const BODILESS = new Set([204, 205, 304]);

/** Names of the one encoding that is asked for, and of none; they are written in any case (RFC 9110). */
const PACKED = new Set(['gzip', 'x-gzip']);
const PLAIN = new Set(['identity', '']);

/**
 * An answer from its head on, at its reader's pace and bounded as its reader sees it. `onTooLarge` is told of the limit.
 * Undefined, and given up, where it is none that could be read.
 */
export function newHttpAnswer(
  controller: Dispatcher.DispatchController,
  { status, received }: HttpHead,
  onTooLarge: (failure: ConnectionFailure) => void,
): HttpAnswer | undefined {
  const headers = headersOf(received);
  const encoding = headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  const isPacked = PACKED.has(encoding);
  if (status > 599 || !(isPacked || PLAIN.has(encoding))) {
    const reason = 'a status or an encoding that nobody knows';
    controller.abort(new ConnectionFailure('answer_malformed', { reason }));
    return undefined;
  }
  const bound = newBound(isEventStream(headers));
  const requireFew = (chunk: Uint8Array) => {
    const failure = bound(chunk);
    if (failure) onTooLarge(failure);
    return failure;
  };
  const { body, source } = bodyOf(controller);
  const read = isPacked
    ? body.pipeThrough(new DecompressionStream('gzip')).pipeThrough(few(requireFew))
    : body;
  const isBodiless = BODILESS.has(status);
  return {
    response: new Response(isBodiless ? null : read, { status, headers }),
    push(chunk) {
      // Nobody reads it: what waits for its reader would hold the socket.
      if (isBodiless) return controller.abort(new Error('a body that may not be'));
      const failure = isPacked ? undefined : requireFew(chunk);
      if (failure) return controller.abort(failure);
      source.enqueue(chunk);
      if ((source.desiredSize ?? 0) <= 0) controller.pause();
    },
    close: () => source.close(),
    fail: (error) => source.error(error),
  };
}

/** Media types are written in any case (RFC 9110). */
export function isEventStream(headers: Headers): boolean {
  return /^text\/event-stream\s*(;|$)/i.test(headers.get('content-type') ?? '');
}

function headersOf(received: HttpHead['received']): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received))
    for (const value of [values ?? []].flat()) headers.append(name, value);
  return headers;
}

/** A body that is filled through `source`. */
function bodyOf(controller: Dispatcher.DispatchController) {
  let opened: ReadableStreamDefaultController<Uint8Array> | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start: (own) => void (opened = own),
      // Not at once: a peer that never stops sending would leave no turn to anything else.
      pull: () => void (controller.paused && setImmediate(() => controller.resume())),
      cancel: () => controller.abort(new Error('nobody reads on')),
    },
    WAITING,
  );
  return { body, source: opened as unknown as ReadableStreamDefaultController<Uint8Array> };
}

/** Passes chunks on until there are too many. */
function few(failureOf: (chunk: Uint8Array) => ConnectionFailure | undefined) {
  return new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const failure = failureOf(chunk);
      if (failure) controller.error(failure);
      else controller.enqueue(chunk);
    },
  });
}
