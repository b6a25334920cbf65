import { codes } from '@portolan/mcp/serve';

/** Why a request is refused: the HTTP status, and what the JSON-RPC error in the body says. */
export interface Verdict {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal at the level of HTTP. */
export function refuse(status: number, message: string, headers?: Readonly<Record<string, string>>): Verdict {
  return { status, code: codes.transport, message, ...(headers && { headers }) };
}

/** A refusal of a message that is not one of ours to answer. */
export function invalid(message: string, code: number = codes.invalidRequest): Verdict {
  return { status: 400, code, message };
}

/** The JSON-RPC error that goes with a verdict. */
export function errorBody({ code, message }: Verdict, id: string | number | null): object {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
