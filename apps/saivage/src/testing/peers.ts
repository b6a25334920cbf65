import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

const { resolve } = createRequire(import.meta.url);

/** The text of `peer.js`: a stdio server on the official SDK with the one tool `ping`, which says whose pong it is. */
export function peerProgram(name: string): string {
  const [mcp, stdio] = ['mcp', 'stdio'].map((one) => resolve(`@modelcontextprotocol/sdk/server/${one}.js`));
  return `
const { McpServer } = require(${JSON.stringify(mcp)});
const { StdioServerTransport } = require(${JSON.stringify(stdio)});
const server = new McpServer({ name: ${JSON.stringify(name)}, version: '1' });
server.registerTool('ping', { description: 'Answers.', inputSchema: {} }, async () => ({
  content: [{ type: 'text', text: ${JSON.stringify(`pong of ${name}`)} }],
}));
server.connect(new StdioServerTransport());
`;
}

/** Peers over Streamable HTTP with sessions, on the official SDK: the last step of the path is the name. */
export async function openWebPeers(): Promise<{ readonly origin: string; close(): Promise<void> }> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer((request, response) => void answer(sessions, request, response));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    async close() {
      await Promise.all([...sessions.values()].map((transport) => transport.close()));
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function answer(
  sessions: Map<string, StreamableHTTPServerTransport>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const session = sessions.get(String(request.headers['mcp-session-id']));
  const transport = session ?? (await openSession(sessions, String(request.url).split('/').at(-1) ?? ''));
  await transport.handleRequest(request, response);
}

async function openSession(sessions: Map<string, StreamableHTTPServerTransport>, name: string) {
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  });
  const server = new McpServer({ name, version: '1' });
  server.registerTool('ping', { description: 'Answers.', inputSchema: {} }, async () => ({
    content: [{ type: 'text', text: `pong of ${name}` }],
  }));
  await server.connect(transport);
  return transport;
}
