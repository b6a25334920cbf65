import { CommandFailure } from '../../commands/errors.ts';
import type { Connections } from '../../connections/connections.ts';
import { Declined } from '../envelope.ts';

/** Runs an operation on commands. What it declines becomes a failed result; an end that cannot be proven stays an error. */
export async function onCommand<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.code === 'not_contained') throw error;
    throw new Declined({ code: error.code, message: error.message });
  }
}

/** The process of an MCP server is its owner's to end, and nobody's to wait for. Throws `Declined`. */
export function refuseMcpProcess(connections: Connections, processId: string): void {
  const server = connections.list().find((one) => String(one.processId) === processId);
  if (!server) return;
  const message = `Process ${processId} belongs to the MCP server "${server.serverName}": it is ended by mcp_server_control.`;
  throw new Declined({ code: 'mcp_process', message }, 'rejected');
}
