import { createLog, edge, listen } from '@portolan/http';
import { eras } from '../exercise.ts';
import type { Variant } from '../variant.ts';
import { serveTools } from './portolan-serve.ts';

export const variant: Variant = {
  says: 'ours as the apps mount it: behind the edge with its guards, limits, request id, measures and log line',
  eras,
  operations: ['call', 'list'],
  async start(tools) {
    const serve = serveTools(tools);
    // Written to standard output as in the apps; the parent lets that go nowhere.
    const log = createLog({ name: 'bench' });
    const app = edge({ name: 'bench', bodyLimit: 1024 * 1024, hosts: ['127.0.0.1'], log });
    app.all('/mcp', ({ req, env }) => serve(req.raw, { outgoing: env.outgoing }));
    const fetch = (request: Request, bindings: object) => app.fetch(request, bindings);
    const { origin } = await listen({ fetch, host: '127.0.0.1', port: 0, log });
    return `${origin}/mcp`;
  },
};
