import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { registration, type BenchTool } from '../catalogue.ts';
import { eras } from '../exercise.ts';
import { serverInfo, type Variant } from '../variant.ts';
import { listenOnLoopback } from './loopback.ts';

export const variant: Variant = {
  says: 'SDK v2 as documented: `toNodeHandler(createMcpHandler(…))`, an `McpServer` a request',
  eras,
  operations: ['call', 'list'],
  start(tools) {
    const handler = toNodeHandler(createMcpHandler(() => highLevel(tools)));
    return listenOnLoopback((request, response) => void handler(request, response));
  },
};

function highLevel(tools: readonly BenchTool[]): McpServer {
  const server = new McpServer(serverInfo);
  for (const tool of tools) server.registerTool(...registration(tool));
  return server;
}
