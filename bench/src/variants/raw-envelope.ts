import { serverInfo } from '../variant.ts';

/** A request as far as the raw servers look at it. */
export interface RawMessage {
  readonly id: number;
  readonly method: string;
  readonly params: {
    readonly name?: string;
    readonly arguments?: unknown;
    readonly _meta?: unknown;
  };
}

/** The raw servers tell the eras apart by the one key that only the later one demands. */
export const isModern = ({ params }: RawMessage) => '_meta' in params;

/** Adds what 2026-07-28 wants in a result, when the request is of that era. */
export function envelope(message: RawMessage, result: object): object {
  if (!isModern(message)) return result;
  return { ...result, ...(message.method === 'tools/list' && cacheable), ...complete };
}

const cacheable = { ttlMs: 0, cacheScope: 'private' };
const complete = { resultType: 'complete', _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo } };
