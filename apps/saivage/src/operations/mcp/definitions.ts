import { anyone } from '@portolan/mcp/tool';
import { z } from 'zod';
import { McpConnection } from '../../config/schema.ts';
import { operation } from '../operation.ts';
import { onServer } from './failure.ts';
import { listed, ListedServer, serverName } from './shapes.ts';

const whole = z.strictObject({
  serverName: z.string().min(1).max(64).describe('A letter first; letters, digits, _, . and - may follow.'),
  connection: McpConnection.describe('The whole connection. Its values are taken literally.'),
});

const example: z.input<typeof whole> = {
  serverName: 'local',
  connection: { transport: 'stdio', command: 'node', args: ['peer.js'] },
};

export const mcpServerRegister = operation('mcp_server_register', {
  title: 'Define an MCP server',
  says:
    'Keeps the definition of an MCP server under a name that is free. It launches nothing: start it with ' +
    'mcp_server_control. The definition stays until it is unregistered, and never starts by itself.',
  access: anyone,
  effect: 'writes',
  input: whole,
  output: ListedServer,
  example,
}).run(({ serverName: name, connection }, { deps }) =>
  onServer(() => listed(deps.connections.register(name, connection))),
);

export const mcpServerReplace = operation('mcp_server_replace', {
  title: 'Replace the definition of an MCP server',
  says:
    'Puts a whole connection in the place of one that an agent has defined; what is left out is gone. The server must be ' +
    'stopped. It launches nothing.',
  access: anyone,
  effect: 'destroys',
  idempotent: true,
  input: whole,
  output: ListedServer,
  example,
}).run(({ serverName: name, connection }, { deps }) =>
  onServer(() => listed(deps.connections.replace(name, connection))),
);

export const mcpServerUnregister = operation('mcp_server_unregister', {
  title: 'Forget an MCP server',
  says:
    'Removes a definition that an agent has made, then ends its server. If the server cannot be ended, the definition is ' +
    'gone all the same.',
  access: anyone,
  effect: 'destroys',
  input: z.strictObject({ serverName }),
  output: z.object({ serverName: z.string(), status: z.literal('unregistered') }),
  example: { serverName: 'local' },
}).run(({ serverName: name }, { deps }) => onServer(() => deps.connections.unregister(name)));

export const mcpServerList = operation('mcp_server_list', {
  title: 'MCP servers of the project',
  says: 'Every MCP server that is defined, by its operator or by agents, and what it does at this moment.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({}),
  output: z.object({ servers: z.array(ListedServer) }),
  example: {},
}).run((_, { deps }) => onServer(() => ({ servers: deps.connections.list().map(listed) })));
