import type { EdgeEnv, Logger } from '@portolan/http';
import { allRevisions, corsHeaders, preflightHeaders, serveMcp, surfaces } from '@portolan/mcp/serve';
import { Hono } from 'hono';
import { builtTools } from './families.ts';
import { isOpen } from './registry.ts';
import type { Server } from './servers.ts';
import type { Deps } from './vocabulary.ts';

interface MountOptions {
  readonly servers: readonly Server[];
  readonly deps: Deps;
  readonly release: string;
  readonly log: Logger;
}

/** The endpoints of the servers that are open. The address of one that is not answers like any unknown address. */
export function mcpRoutes({ servers, ...options }: MountOptions): Hono<EdgeEnv> {
  const routes = new Hono<EdgeEnv>();
  for (const server of servers.filter(isOpen)) {
    const serve = openServer(server, options);
    routes.on(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], server.endpoint, (c) =>
      serve(c.req.raw, { outgoing: c.env?.outgoing }),
    );
    routes.options(server.endpoint, (c) => {
      const asked = c.req.header('access-control-request-headers') ?? null;
      return c.body(null, 204, { ...preflightHeaders(['POST', 'GET', 'DELETE'], asked) });
    });
  }
  return routes;
}

/** A server for anyone: no credential is looked at, so none can help, hurt or be written anywhere. */
function openServer(server: Server, { deps, release, log }: Omit<MountOptions, 'servers'>) {
  const { name, title, promise, families } = server;
  return serveMcp({
    surface: surfaces({
      server: { name, title, release },
      tools: families.flatMap(builtTools),
      instructions: promise,
    }),
    deps,
    revisions: allRevisions,
    disconnect: 'cancels',
    headers: corsHeaders,
    observe: ({ tool, outcome, receivedAt, settledAt }) =>
      log.info({ server: name, tool, outcome, ms: settledAt - receivedAt }, 'tool call'),
    onError: (err, context) => log.error({ err, server: name, ...context }, 'tool call broke'),
  });
}
