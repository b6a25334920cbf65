import { z } from 'zod';
import type { ServerView } from '../../connections/connections.ts';

/** The name of an MCP server, as an argument. */
export const serverName = z.string().min(1).max(64).describe('Name of a defined MCP server.');

/** The id of a connection, as an argument. */
export const bindingId = z.string().max(64).describe('Of the present connection, as mcp_tools answers it.');

/** Arguments of a tool. One name is refused, since it would be dropped without a word on the way to the server. */
export const toolArguments = z.preprocess(
  (sent, context) => {
    if (typeof sent === 'object' && sent !== null && Object.hasOwn(sent, '__proto__')) {
      context.addIssue({ code: 'custom', message: 'An argument cannot be named __proto__.' });
    }
    return sent;
  },
  z.record(z.string(), z.unknown()),
);

const status = z
  .enum(['stopped', 'starting', 'running', 'refreshing', 'stopping', 'error'])
  .describe('What is known here; running only after the whole tool list was read.');

/** A server after an operation on it. The ids are there while it is running. */
export const ServerState = z.object({
  serverName: z.string(),
  status,
  toolCount: z.int().min(0),
  bindingId: z.string().optional().describe('New with each connection.'),
  catalogId: z.string().optional().describe('New with each complete tool list.'),
});

/**
 * A server as agents may see it: nothing of its arguments, its address or its environment. Its command is named only
 * where it cannot be started.
 */
export const ListedServer = ServerState.extend({
  source: z
    .enum(['yaml', 'dynamic'])
    .optional()
    .describe('Absent where the definition is gone and processes that could not be ended hold its place.'),
  transport: z.enum(['stdio', 'streamable-http']),
  autostart: z.boolean(),
  disabled: z.boolean(),
  pendingCalls: z.int().min(0),
  failure: z
    .object({ code: z.string(), message: z.string(), phase: z.string().optional(), at: z.string() })
    .optional()
    .describe('Why it is not running, where it was not asked to stop.'),
});

/** What of a view agents see. */
export function listed(view: ServerView): z.input<typeof ListedServer> {
  return view;
}
