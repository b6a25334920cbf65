import { analystToken, type TestServer } from './server.ts';
import type { Parts } from './wire.ts';

/** Where a request goes. */
export type Target = Pick<TestServer, 'analystPort' | 'analystPath'>;

/** The headers that every message after `initialize` carries. */
export function goodHeaders({ analystPort }: Target, token = analystToken): Parts['headers'] {
  return [
    ['Host', `127.0.0.1:${analystPort}`],
    ['Authorization', `Bearer ${token}`],
    ['Content-Type', 'application/json'],
    ['Accept', 'application/json, text/event-stream'],
    ['MCP-Protocol-Version', '2025-11-25'],
  ];
}

/** A request that passes every check: a call of the probe `count`. */
export function goodRequest(target: Target, message: unknown = callOf('count')): Parts {
  return {
    method: 'POST',
    target: target.analystPath,
    headers: goodHeaders(target),
    body: typeof message === 'string' ? message : JSON.stringify(message),
  };
}

export function callOf(name: string, args: object = {}, id: unknown = 1): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } };
}

/** The same request with one header replaced, in its place. */
export function withHeader(parts: Parts, name: string, ...values: string[]): Parts {
  const others = parts.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  return { ...parts, headers: [...others, ...values.map((value) => [name, value] as const)] };
}
