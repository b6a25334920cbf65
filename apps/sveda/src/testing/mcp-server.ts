import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool as the server lists it, and how it answers. Everything else of it goes on the wire as it is. */
export interface TestTool {
  readonly name: string;
  readonly [field: string]: unknown;
}

/** The result of tools/call, as it goes on the wire. */
type Answer = (input: Record<string, unknown>, name: string) => unknown;

/** One message that came. */
export interface AskedMessage {
  readonly method: string;
  readonly params: Record<string, unknown>;
  readonly headers: IncomingMessage['headers'];
}

/** An MCP server that says exactly what a test wants, however wrong: tools may change while it runs. */
export async function testMcpServer(
  tools: readonly TestTool[],
  {
    answer = (input, name) => ({ content: [{ type: 'text', text: `${name} ${JSON.stringify(input)}` }] }),
    pageSize = 1_000,
    newestOnly = false,
    instructions,
    write = (response, text) => response.end(text),
  }: {
    readonly answer?: Answer;
    readonly pageSize?: number;
    /** Refuses `initialize` and says that it speaks 2026-07-28. */
    readonly newestOnly?: boolean;
    readonly instructions?: string;
    /** How the text of an answer to tools/call gets onto the wire. */
    readonly write?: (response: ServerResponse, text: string) => unknown;
  } = {},
) {
  const state = { tools, newestOnly, broken: false };
  const asked: AskedMessage[] = [];

  function resultOf(method: string, params: Record<string, unknown>): unknown {
    if (method === 'initialize')
      return { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo, instructions };
    if (method === 'server/discover')
      return { supportedVersions: ['2026-07-28'], capabilities: { tools: {} }, serverInfo, instructions };
    if (method === 'tools/list') {
      const from = Number(params.cursor ?? 0);
      const next = from + pageSize;
      return {
        tools: state.tools.slice(from, next).map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
        ...(next < state.tools.length && { nextCursor: String(next) }),
      };
    }
    return answer((params.arguments ?? {}) as Record<string, unknown>, String(params.name));
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray()).toString('utf8');
    if (body === '') return void response.writeHead(405).end();
    const { id, method = '', params = {} } = JSON.parse(body) as Partial<AskedMessage> & { id?: number };
    asked.push({ method, params, headers: request.headers });
    if (state.broken) return void response.writeHead(503).end('broken');
    if (id === undefined) return void response.writeHead(202).end();
    const isNewest = request.headers['mcp-protocol-version'] === '2026-07-28';
    if (state.newestOnly !== isNewest) {
      const error = {
        code: -32022,
        message: 'revision',
        data: { supported: state.newestOnly ? ['2026-07-28'] : ['2025-11-25'] },
      };
      return void response.writeHead(400, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, error }));
    }
    const said = await resultOf(method, params);
    const result = { ...(isNewest && { resultType: 'complete' }), ...(said as object) };
    const text = JSON.stringify({ jsonrpc: '2.0', id, result });
    if (method !== 'tools/call') return void response.writeHead(200, JSON_TYPE).end(text);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write(response, `data: ${text}\r\n\r\n`);
  }

  const server = createServer((request, response) => void handle(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    asked,
    /** What it lists from now on, which revision it speaks, and whether it answers 503. */
    state,
    /** Calls that reached it, in order: name and arguments. */
    calls: () =>
      asked
        .filter(({ method }) => method === 'tools/call')
        .map(({ params }) => `${String(params.name)} ${JSON.stringify(params.arguments)}`),
    methods: () => asked.map(({ method }) => method),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const JSON_TYPE = { 'content-type': 'application/json' };
const serverInfo = { name: 'test', version: '1' };
