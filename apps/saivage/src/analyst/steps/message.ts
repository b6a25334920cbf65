import { codes } from '@portolan/mcp/serve';
import { invalid, type Verdict } from '../verdict.ts';

/** One JSON-RPC request or notification. Without an id it is a notification. */
export interface Message {
  readonly jsonrpc: '2.0';
  readonly id?: string | number;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** What a body turned out to be. */
export type Reading = { readonly message: Message } | { readonly refused: Verdict };

/** Reads a body as one JSON-RPC object. Batches, answers to nothing and everything else are refused. */
export function oneMessage(body: Buffer): Reading {
  const value = parseJson(body);
  if (value === undefined) return { refused: invalid('The body is not JSON.', codes.parse) };
  const fault = faultOf(value);
  return fault === undefined ? { message: value as Message } : { refused: invalid(fault) };
}

function faultOf(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'Batches are refused.';
  if (!isObject(value) || value['jsonrpc'] !== '2.0') return 'The body is no JSON-RPC 2.0 object.';
  const { id, method, params } = value;
  if (typeof method !== 'string') return 'The message names no method.';
  if ('id' in value && typeof id !== 'string' && !Number.isSafeInteger(id)) {
    return 'The id of a request is a string or an integer.';
  }
  if ('params' in value && !isObject(params)) return 'The params are no object.';
  return undefined;
}

/** JSON is UTF-8 (RFC 8259 §8.1); other bytes are no JSON. */
function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
