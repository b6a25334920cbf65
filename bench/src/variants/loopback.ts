import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** Starts a plain node server on a free loopback port; answers the URL of its MCP endpoint. */
export async function listenOnLoopback(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return endpointOf(server);
}

/** The MCP endpoint of a server that listens on loopback. */
export function endpointOf(server: Pick<Server, 'address'>): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

/** Reads a body by plain events, the cheapest way that node has, and hands over its JSON. */
export function onJson(request: IncomingMessage, use: (body: unknown) => void): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => use(JSON.parse(Buffer.concat(chunks).toString())));
}
