import type { EdgeEnv, Logger } from '@portolan/http';
import { allRevisions, anonymous, serveMcp, surface } from '@portolan/mcp/serve';
import { Hono, type Context } from 'hono';
import { isOpen, toolsFor } from './registry.ts';
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
    routes.options(server.endpoint, preflight);
    routes.on(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], server.endpoint, (c) => serve(c.req.raw));
  }
  return routes;
}

/** A server for anyone: no credential is looked at, so none can help, hurt or be written anywhere. */
function openServer(server: Server, { deps, release, log }: Omit<MountOptions, 'servers'>) {
  const { name, title, promise } = server;
  const tools = toolsFor(server, anonymous);
  const everyone = surface({ server: { name, title, release }, tools, instructions: promise });
  return serveMcp({
    surface: () => everyone,
    deps,
    revisions: allRevisions,
    disconnect: 'cancels',
    headers: crossOrigin,
    observe: ({ tool, outcome, receivedAt, settledAt }) =>
      log.info({ server: name, tool, outcome, ms: settledAt - receivedAt }, 'tool call'),
    onError: (err, context) => log.error({ err, server: name, ...context }, 'tool call broke'),
  });
}

/** Pages of any origin may call: there is no cookie here that they could misuse. */
const crossOrigin = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Mcp-Session-Id, MCP-Protocol-Version',
};
const USUAL_HEADERS =
  'Authorization, Content-Type, Accept, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID';

/** Answers a browser that asks before it calls (Fetch §4.8). Headers named after a tool’s arguments cannot be listed ahead. */
function preflight(c: Context): Response {
  const asked = c.req.header('access-control-request-headers') ?? '';
  return c.body(null, 204, {
    ...crossOrigin,
    'access-control-allow-methods': 'POST, GET, DELETE',
    'access-control-allow-headers': /^[\w!#$%&'*+.^`|~, -]{1,1000}$/.test(asked) ? asked : USUAL_HEADERS,
    'access-control-max-age': '7200',
    vary: 'Access-Control-Request-Headers',
  });
}
