import { once } from 'node:events';
import { createAdaptorServer } from '@hono/node-server';
import { Hono } from 'hono';
import { allRevisions, serveMcp, surface } from '@portolan/mcp/serve';
import { anyone, toolsFor, type Tool } from '@portolan/mcp/tool';
import type { BenchTool } from '../catalogue.ts';
import { eras } from '../exercise.ts';
import { serverInfo, type Variant } from '../variant.ts';
import { endpointOf } from './loopback.ts';

export const variant: Variant = {
  says: 'ours: `serveMcp` as the apps mount it, a route of Hono on @hono/node-server; all revisions, all checks',
  eras,
  operations: ['call', 'list'],
  async start(tools) {
    const { name, version: release } = serverInfo;
    const offered = surface({ server: { name, release }, tools: tools.map(toolValue) });
    const serve = serveMcp({
      surface: () => offered,
      deps: undefined,
      revisions: allRevisions,
      disconnect: 'detached',
      onError: (error) => console.error(error),
    });
    const app = new Hono();
    app.all('/mcp', (context) => serve(context.req.raw));
    const server = createAdaptorServer({ fetch: app.fetch });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpointOf(server);
  },
};

function toolValue(tool: BenchTool): Tool {
  const { name, title, description: says, effect, input, output, example } = tool;
  const definition = { title, says, access: anyone, effect, input, output, example };
  return toolsFor<unknown>()(name, definition).run((parsed) => tool.answer(parsed));
}
