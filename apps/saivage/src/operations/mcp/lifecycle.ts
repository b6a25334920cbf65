import { anyone } from '@portolan/mcp/tool';
import { z } from 'zod';
import type { Connections, Ready, Stopped } from '../../connections/connections.ts';
import { operation } from '../operation.ts';
import { onServer } from './failure.ts';
import { bindingId, serverName, ServerState } from './shapes.ts';

/** What can be asked of the life of a server. */
export const actions = ['start', 'stop', 'restart'] as const;
export type Action = (typeof actions)[number];

export const mcpServerControl = operation('mcp_server_control', {
  title: 'Start, stop or restart an MCP server',
  says:
    'start connects and reads the whole tool list, within 180 seconds; a server that runs is left as it is. stop ends the ' +
    'server with everything that it started, and its calls. restart is a stop and then a start, with new ids. A start that ' +
    'fails leaves the server stopped, and is not made again by itself.',
  access: anyone,
  effect: 'writes',
  openWorld: true,
  input: z.strictObject({ serverName, action: z.enum(actions) }),
  output: ServerState,
  example: { serverName: 'local', action: 'start' },
}).run(({ serverName: name, action }, { deps, signal }) =>
  onServer(() => control(deps.connections, name, action, signal)),
);

export const mcpCatalogRefresh = operation('mcp_catalog_refresh', {
  title: 'Read the tools of an MCP server again',
  says:
    'Reads the whole tool list again on the same connection, within 30 seconds, and gives it a new catalogId. If that ' +
    'fails, the earlier list is the last that was seen. It neither restarts the server nor reads its definition again.',
  access: anyone,
  effect: 'writes',
  openWorld: true,
  input: z.strictObject({ serverName, bindingId }),
  output: ServerState,
  example: { serverName: 'local', bindingId: '019e1b1e-6c3e-7c7a-9b60-4f3f0d7c5a11' },
}).run((which, { deps, signal }) => onServer(() => deps.connections.refresh(which, { signal })));

/** One lifecycle operation. A stop is not given up half way: it takes no signal. */
export function control(
  connections: Connections,
  serverName: string,
  action: Action,
  signal?: AbortSignal,
): Promise<Ready | Stopped> {
  if (action === 'stop') return connections.stop(serverName);
  const options = signal ? { signal } : {};
  return action === 'start'
    ? connections.start(serverName, options)
    : connections.restart(serverName, options);
}
