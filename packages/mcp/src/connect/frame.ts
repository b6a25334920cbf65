import { isUtf8 } from 'node:buffer';
import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
} from '@modelcontextprotocol/client';

/** Reads one line of stdio as one JSON-RPC message, or says in a few words why it is none. */
export function readFrame(line: Buffer): JSONRPCMessage | string {
  if (!isUtf8(line)) return 'a line is not UTF-8';
  const value = parse(line);
  if (value === undefined) return 'a line is not JSON';
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'a line is JSON, but no object';
  if (!('jsonrpc' in value) || value.jsonrpc !== '2.0') return 'a line is JSON, but not JSON-RPC 2.0';
  const message = known(value);
  return isMessage(message) ? message : 'a line is no valid JSON-RPC message';
}

/** The id that a message answers; undefined when it answers nothing. */
export function answeredId(message: JSONRPCMessage): string | number | undefined {
  return 'method' in message ? undefined : message.id;
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8')) as unknown;
  } catch {
    return undefined;
  }
}

/** Members that JSON-RPC does not know are no fault, but the SDK would not take the message with them. */
function known(value: object): object {
  const { jsonrpc, id, method, params, result, error } = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries({ jsonrpc, id, method, params, result, error }).filter(
      ([, member]) => member !== undefined,
    ),
  );
}

/** Asks for the one kind that the members tell of: to try all kinds costs a flood of notifications dear. */
function isMessage(value: object): value is JSONRPCMessage {
  if ('method' in value) return 'id' in value ? isJSONRPCRequest(value) : isJSONRPCNotification(value);
  return 'error' in value ? isJSONRPCErrorResponse(value) : isJSONRPCResultResponse(value);
}
