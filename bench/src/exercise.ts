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

/** What `echo` is given. */
export const message = 'All hands to the capstan: fair wind from the south-west.';

/** A request but for its id, so that it can be sent often. */
export interface Asked {
  readonly headers: Readonly<Record<string, string>>;
  readonly method: string;
  readonly params: object;
}

/** The JSON-RPC message with this id. */
export function bodyOf({ method, params }: Pick<Asked, 'method' | 'params'>, id: number): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

/** What an exercise asks in an era. */
export function asked(era: Era, operation: Operation): Asked {
  return operation === 'call'
    ? request(era, 'tools/call', { name: 'echo', arguments: { message } })
    : request(era, 'tools/list', {});
}

interface Params {
  readonly name?: string;
  readonly arguments?: object;
}

/** The request that a client of the era sends after its opening, with all headers that the era demands. */
export function request(era: Era, method: string, params: Params): Asked {
  const modern = era === '2026-07-28';
  return {
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': era,
      ...(modern && { 'mcp-method': method }),
      ...(modern && params.name !== undefined && { 'mcp-name': params.name }),
    },
    method,
    params: modern ? { ...params, _meta: meta } : params,
  };
}

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
