import { ConnectionFailure } from './errors.ts';
import { LIMITS } from './limits.ts';

/**
 * The answer, with 48 MiB at most: of all its bytes, or of each of its events. An answer whose declared length is small
 * enough passes as it is; any other is counted as it is read, and breaks off at the first byte too many.
 */
export function bounded(
  response: Response,
  events: boolean,
  onTooLarge: (failure: ConnectionFailure) => void,
): Response {
  const { body, status, statusText, headers } = response;
  if (!body) return response;
  const declared = headers.has('content-encoding')
    ? Number.NaN
    : Number(headers.get('content-length') ?? Number.NaN);
  if (declared <= LIMITS.wire) return response;
  const longest = events ? longestEvent() : total();
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (longest(chunk) <= LIMITS.wire) return controller.enqueue(chunk);
      const failure = new ConnectionFailure('answer_too_large');
      onTooLarge(failure);
      controller.error(failure);
    },
  });
  return new Response(body.pipeThrough(counter), { status, statusText, headers });
}

/** Counts chunks: answers the bytes so far. */
type Count = (chunk: Uint8Array) => number;

function total(): Count {
  let size = 0;
  return ({ length }) => (size += length);
}

/** Answers the bytes of the longest event that the chunk ends or goes on with, its blank line included. */
function longestEvent(): Count {
  let event = 0;
  /** The line has no letter yet; it may have the carriage return before its end. */
  let blank = true;
  return (chunk) => {
    let longest = 0;
    let from = 0;
    const take = (to: number) => {
      event += to - from;
      longest = Math.max(longest, event);
    };
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      blank &&= isBare(chunk, from, end);
      take(end + 1);
      if (blank) event = 0;
      blank = true;
      from = end + 1;
    }
    blank &&= isBare(chunk, from, chunk.length);
    take(chunk.length);
    return longest;
  };
}

/** True for a stretch of nothing, or of a carriage return alone. */
function isBare(chunk: Uint8Array, from: number, to: number): boolean {
  return from === to || (from + 1 === to && chunk[from] === 13);
}
