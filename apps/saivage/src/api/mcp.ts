import { HttpProblem, readJson, type EdgeEnv } from '@portolan/http';
import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import type { Connections, ServerView, ToolsView } from '../connections/connections.ts';
import { ServerError } from '../connections/errors.ts';
import type { Secret } from '../config/secrets.ts';
import { inWords } from '../operations/mcp/failure.ts';
import { actions, control } from '../operations/mcp/lifecycle.ts';
import { toolArguments } from '../operations/mcp/shapes.ts';
import { faultOf } from '../operations/mcp/tools.ts';
import { provenOperator } from './guard.ts';

const Nothing = z.strictObject({});

const Call = z.strictObject({
  bindingId: z.string().max(64),
  catalogId: z.string().max(64),
  args: toolArguments,
});

/** Servers name their tools as they like, and some names are none in a path: `..`, for one. */
const NamedCall = Call.extend({ toolName: z.string() });

/** Bytes of the body of a call: its arguments may be whole documents. */
export const MAX_CALL_BODY = 1024 * 1024;

/**
 * The operator's hand on MCP servers. What changes something, or shows what a server sent, wants a proven operator. A
 * request that was admitted runs to its end, whoever still listens.
 */
export function mcpRoutes(connections: Connections, token: Secret | undefined): Hono<EdgeEnv> {
  const app = new Hono<EdgeEnv>();
  app.get('/tools', (c) =>
    c.json({ servers: connections.list().map((view) => observed(view, connections)) }),
  );
  app.use('/servers/*', provenOperator(token));
  for (const action of actions) {
    app.post(`/servers/:name/${action}`, async (c) => {
      await readJson(c, Nothing);
      const { serverName, status, toolCount } = await control(connections, c.req.param('name'), action);
      return c.json({ serverName, status, toolCount });
    });
  }
  app.get('/servers/:name/tools', (c) => c.json(catalog(connections.tools(c.req.param('name')))));
  app.post('/servers/:name/tools/:tool/call', async (c) => {
    const { name: serverName, tool: toolName } = c.req.param();
    return c.json(await connections.call({ ...(await readJson(c, Call)), serverName, toolName }));
  });
  app.post('/servers/:name/call', async (c) => {
    const serverName = c.req.param('name');
    return c.json(await connections.call({ ...(await readJson(c, NamedCall)), serverName }));
  });
  return app;
}

/** How the failure of an operation on a server is answered; undefined for what nobody expected. */
export function problemOfServer(error: unknown): HttpProblem | undefined {
  if (!(error instanceof ServerError) || error.code === 'unclassified') return undefined;
  const { status, code, serverStatus, effects, phase, rows, peer } = error;
  return new HttpProblem(
    status as ContentfulStatusCode,
    code,
    inWords(error),
    {},
    {
      ...(serverStatus !== undefined && { serverStatus }),
      effects,
      ...(phase !== undefined && { phase }),
      ...(rows.length > 0 && { rows }),
      ...(peer && { peer }),
    },
  );
}

/** A server with what was counted, and its tools by name alone. */
function observed({ calls, ...view }: ServerView, connections: Connections) {
  const tools = view.bindingId === undefined ? [] : connections.tools(view.serverName).tools;
  return { ...view, stats: calls, tools: tools.map(({ name, calls: stats }) => ({ name, stats })) };
}

/** A tool list as it was sent, and what is wrong with its schemas. */
function catalog({ tools, ...view }: ToolsView) {
  return {
    ...view,
    tools: tools.map((tool) => {
      const fault = faultOf(tool);
      return { name: tool.name, sent: tool.sent, stats: tool.calls, ...(fault && { cannotBeCalled: fault }) };
    }),
  };
}
