import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { HttpDefinition } from '../definition.ts';
import { listed } from './peer.ts';

/** One JSON-RPC message that came over HTTP. */
export interface Posted {
  readonly id?: number;
  readonly method: string;
  readonly params?: {
    readonly name?: string;
    readonly arguments?: { readonly mib?: number; readonly until?: string };
  };
  readonly headers: IncomingMessage['headers'];
}

/** Answers a message; `false` leaves it to the server. */
export type Handler = (posted: Posted, response: ServerResponse, request: IncomingMessage) => unknown;

/** A server over HTTP in this process, until the test has ended: `tools` answer tools/call by name, `other` may take any message before. */
export async function serve(tools: Record<string, Handler>, other: Handler = () => false) {
  const requests: Posted[] = [];
  // No connection ends by itself just when it is used again.
  const server = createServer(
    { keepAliveTimeout: 120_000 },
    (request, response) => void answer(request, response),
  ).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  await once(server, 'listening');

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = (await request.toArray()).join('');
    const { method = '', headers } = request;
    const posted: Posted = { ...(body === '' ? { method } : (JSON.parse(body) as Posted)), headers };
    requests.push(posted);
    if ((await other(posted, response, request)) !== false) return;
    if (posted.method === 'initialize') {
      const serverInfo = { name: 'web', version: '1' };
      return json(response, posted, {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo,
      });
    }
    if (posted.method === 'tools/list')
      return json(response, posted, { tools: Object.keys(tools).map((name) => listed(name)) });
    if (posted.method === 'tools/call')
      return void tools[posted.params?.name ?? '']?.(posted, response, request);
    response.writeHead(posted.id === undefined && method === 'POST' ? 202 : 405).end();
  }

  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const definition: HttpDefinition = { transport: 'streamable-http', url };
  const methods = () => requests.map(({ method }) => method);
  return { definition, requests, methods, server };
}

/** Answers with a result in one piece. */
export function json(response: ServerResponse, { id }: Posted, result: unknown): void {
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** Stands in a result for many letters. */
export const FILL = '{fill}';
const LETTERS = Buffer.alloc(1024 * 1024, 'x');

/** JSON with so many letters x in the place of `FILL`, written without ever building the text of it. */
export function writeFilled(
  response: ServerResponse,
  value: object,
  count: number,
  before = '',
  after = '',
): void {
  const [head = '', tail = ''] = JSON.stringify(value).split(FILL);
  response.write(before + head);
  for (let left = count; left > 0; left -= LETTERS.length) response.write(LETTERS.subarray(0, left));
  response.end(tail + after);
}

/** A result of one text. */
export const text = (value: string) => ({ content: [{ type: 'text', text: value }] });
/** A tool that says its name. */
export const echo: Handler = (posted, response) => json(response, posted, text('echo'));

/** Writes messages as events. Their media type is written in an unusual case, as it may be. */
export function events(response: ServerResponse, ...messages: object[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'Text/Event-Stream; charset=utf-8' });
  for (const message of messages) response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
