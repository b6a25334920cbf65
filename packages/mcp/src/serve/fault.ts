import { limits } from './limits.ts';

/** A JSON-RPC error as data. The HTTP status is the codec's matter, unless the fault fixes it. */
export interface Fault {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
  readonly status?: number;
  /** Headers that the answer has besides those of the mount. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** JSON-RPC 2.0 §5.1 and the MCP codes of 2025-11-25 and 2026-07-28. */
export const codes = {
  parse: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  /** HTTP-level refusals, as the SDK's transports send them. */
  transport: -32000,
  /** Up to 2025-11-25. Later revisions say `invalidParams`. */
  resourceNotFound: -32002,
  headerMismatch: -32020,
  unsupportedRevision: -32022,
} as const;

export function fault(
  code: number,
  message: string,
  rest?: Pick<Fault, 'data' | 'status' | 'headers'>,
): Fault {
  return { code, message, ...rest };
}

/** Text of the caller's, short enough to stand in an error or an event. */
export function echoed(text: string): string {
  return text.length <= limits.echoedCharacters ? text : `${text.slice(0, limits.echoedCharacters)}…`;
}
