import { ConnectionFailure } from './errors.ts';
import { LIMITS } from './limits.ts';

/** Takes one chunk after the other, and answers the failure at the first byte too many. */
export type Bound = (chunk: Uint8Array) => ConnectionFailure | undefined;

/** Bounds an answer to 48 MiB: all its bytes, or each of its events. */
export function newBound(events: boolean): Bound {
  const longest = events ? longestEvent() : total();
  return (chunk) => (longest(chunk) <= LIMITS.wire ? undefined : new ConnectionFailure('answer_too_large'));
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
