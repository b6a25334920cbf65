import { fullSize } from './catalogue.ts';

/** The two protocol eras: initialize-based, and per-request `_meta`. */
export const eras = ['2025-11-25', '2026-07-28'] as const;
export type Era = (typeof eras)[number];

export type Operation = 'call' | 'list';

/** What is asked of a server that offers so many tools. */
export interface Exercise {
  readonly title: string;
  readonly operation: Operation;
  readonly tools: number;
}

export const exercises: readonly Exercise[] = [
  { title: 'tools/call, 1 tool', operation: 'call', tools: 1 },
  { title: `tools/call, ${fullSize} tools`, operation: 'call', tools: fullSize },
  { title: `tools/list, ${fullSize} tools`, operation: 'list', tools: fullSize },
];

/** An HTTP POST as it stands on the wire. */
export interface WireRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What `echo` is given. */
export const message = 'All hands to the capstan: fair wind from the south-west.';

/** The request that a client of the era sends after its opening, with all headers that the era demands. */
export function request(era: Era, operation: Operation, id: number): WireRequest {
  const method = `tools/${operation}`;
  const params = operation === 'call' ? { name: 'echo', arguments: { message } } : {};
  const modern = era === '2026-07-28';
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era,
      ...(modern && { 'mcp-method': method }),
      ...(modern && operation === 'call' && { 'mcp-name': 'echo' }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: modern ? { ...params, _meta: meta } : params,
    }),
  };
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
