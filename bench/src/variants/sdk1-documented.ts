import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { registration, type BenchTool } from '../catalogue.ts';
import { serverInfo, type Variant } from '../variant.ts';
import { endpointOf } from './loopback.ts';
import { serveOnce } from './sdk1-once.ts';

export const variant: Variant = {
  says: 'SDK v1 stateless as documented (JSON answers): express, an `McpServer` and a transport a request',
  eras: ['2025-11-25'],
  operations: ['call', 'list'],
  async start(tools) {
    const app = createMcpExpressApp();
    app.post('/mcp', (request: ParsedRequest, response: ServerResponse) =>
      serveOnce(highLevel(tools), request, response, request.body),
    );
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpointOf(server);
  },
};

/** As express hands it over; express brings no types of its own. */
type ParsedRequest = IncomingMessage & { readonly body: unknown };

function highLevel(tools: readonly BenchTool[]): McpServer {
  const server = new McpServer(serverInfo);
  for (const tool of tools) server.registerTool(...registration(tool));
  return server;
}
