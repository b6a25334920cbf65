import type { IncomingMessage } from 'node:http';
import type { Secret } from '../../config/secrets.ts';
import type { Verdict } from '../verdict.ts';

/** A request before its body, as it came over the wire: no header is merged, dropped or decoded. */
export interface Head {
  readonly method: string;
  /** The path with its query, exactly as sent. */
  readonly target: string;
  /** Every value of a header, in order of arrival. The name in lower case. */
  values(name: string): readonly string[];
}

/** What the listener asks of every request. */
export interface Door {
  /** The values of Host that name this listener. */
  readonly authorities: readonly string[];
  readonly path: string;
  readonly token: Secret;
}

/** One check on the head. Answers why the request is refused, or nothing. */
export type HeadStep = (head: Head, door: Door) => Verdict | undefined;

/** Node hides repeated headers; the raw ones show them all. */
export function headOf({ method = '', url = '', rawHeaders }: IncomingMessage): Head {
  return {
    method,
    target: url,
    values: (name) =>
      rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name),
  };
}
