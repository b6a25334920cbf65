import { once } from 'node:events';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { eras } from '../exercise.ts';
import type { Variant } from '../variant.ts';
import { endpointOf } from './loopback.ts';
import { serveTools } from './portolan-serve.ts';

export const variant: Variant = {
  says: 'ours: `serveMcp`, all revisions and checks, on a route of Hono on @hono/node-server',
  eras,
  operations: ['call', 'list'],
  async start(tools) {
    const serve = serveTools(tools);
    const app = new Hono<{ Bindings: HttpBindings }>();
    app.all('/mcp', ({ req, env }) => serve(req.raw, { outgoing: env.outgoing }));
    const server = createAdaptorServer({ fetch: app.fetch });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return endpointOf(server);
  },
};
