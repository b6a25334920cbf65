import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { callChecked, descriptor, type BenchTool } from '../catalogue.ts';
import { eras } from '../exercise.ts';
import { serverInfo, type Variant } from '../variant.ts';
import { endpointOf } from './loopback.ts';

export const variant: Variant = {
  says: 'SDK v2 `createMcpHandler` with `parsedBody`, a low-level `Server` a request, on @hono/node-server',
  eras,
  operations: ['call', 'list'],
  async start(tools) {
    const listed = tools.map(descriptor);
    const handler = createMcpHandler(() => lowLevel(tools, listed), { responseMode: 'json' });
    const server = createAdaptorServer({
      fetch: async (request) => handler.fetch(request, { parsedBody: await request.json() }),
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpointOf(server);
  },
};

function lowLevel(tools: readonly BenchTool[], listed: ReturnType<typeof descriptor>[]): Server {
  const server = new Server(serverInfo, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: listed }));
  server.setRequestHandler('tools/call', ({ params }) => callChecked(tools, params.name, params.arguments));
  return server;
}
