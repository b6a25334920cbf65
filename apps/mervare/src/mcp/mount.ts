import type { EdgeEnv, Logger } from '@portolan/http';
import { allRevisions, corsHeaders, preflightHeaders, serveMcp, surfaces } from '@portolan/mcp/serve';
import type { Tool } from '@portolan/mcp/tool';
import { resolveToolsUsing } from '@sveda-ai/host';
import { Hono } from 'hono';
import { siteCaller } from './callers/caller.ts';
import type { Admitted } from './door.ts';
import { metadataOf, toolsOf } from './registry.ts';
import type { Server } from './servers.ts';
import { stepUpFor } from './step-up.ts';
import type { Deps } from './vocabulary.ts';

interface MountOptions {
  readonly servers: readonly Server[];
  readonly deps: Deps;
  readonly release: string;
  readonly log: Logger;
}

/** The endpoints of the servers. Those that take a credential stand behind `credentialDoor`, and refuse without it. */
export function mcpRoutes({ servers, ...options }: MountOptions): Hono<EdgeEnv<Admitted>> {
  const routes = new Hono<EdgeEnv<Admitted>>();
  for (const server of servers) {
    const serve = mounted(server, options);
    routes.on(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], server.endpoint, (c) => {
      const outgoing = c.env?.outgoing;
      // A server for anyone looks at no credential, so none can help, hurt or be written anywhere.
      if (server.admits === 'anyone') return serve(c.req.raw, { outgoing });
      const caller = c.get('caller');
      if (!caller) throw new Error(`${server.endpoint} is mounted without its door.`);
      return serve(c.req.raw, { outgoing, caller, expected: c.get('expected') });
    });
    routes.options(server.endpoint, (c) => {
      const asked = c.req.header('access-control-request-headers') ?? null;
      return c.body(null, 204, { ...preflightHeaders(['POST', 'GET', 'DELETE'], asked) });
    });
  }
  return routes;
}

function mounted(server: Server, { deps, release, log }: Omit<MountOptions, 'servers'>) {
  const { name, title, promise, unlisted, admits } = server;
  const resourceMetadata = metadataOf(server, deps.origin);
  const tools = toolsOf(server);
  const parts = { server: { name, title, release }, unlisted, instructions: promise };
  const forClients = surfaces({ ...parts, tools });
  const forChats = surfaces({ ...parts, tools: listedInChats('visitor', tools) });
  return serveMcp({
    surface: (caller) => (caller.kind === 'visitor' ? forChats(caller) : forClients(caller)),
    deps,
    revisions: allRevisions,
    disconnect: 'cancels',
    headers: corsHeaders,
    ...(admits === 'credential' && {
      stepUp: (tool, caller) => stepUpFor(server, tool, siteCaller(caller), resourceMetadata),
    }),
    observe: ({ caller, tool, outcome, receivedAt, settledAt }) =>
      log.info({ server: name, by: caller.kind, tool, outcome, ms: settledAt - receivedAt }, 'tool call'),
    onError: (err, { reference, subject }) =>
      log.error({ err, server: name, reference, tool: subject }, 'tool call broke'),
  });
}

/** Whoever talks on a page of the site has that page before them: its snapshot would only fill the talk. */
const listedInChats = resolveToolsUsing((_caller: 'visitor', tools: readonly Tool<Deps>[]) =>
  tools.filter(({ name }) => name !== 'harbour_page_snapshot'),
);
