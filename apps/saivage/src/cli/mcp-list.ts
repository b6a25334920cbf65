import { redacted } from '../config/redact.ts';
import { definedServers } from './mcp-defined.ts';
import type { McpServer } from '../connections/definition.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { openProject } from '../project/open.ts';
import { runningOperator } from './mcp-reach.ts';
import { runningServers } from './mcp-running.ts';
import { columns } from './printable.ts';
import { surroundings } from './surroundings.ts';
import type { Terminal } from './terminal.ts';

/** `saivage mcp list`: every server that is defined, without secrets, and its state where Saivage runs. Starts nothing. */
export async function listServers(
  folder: ProjectFolder,
  { json }: { readonly json?: true },
  terminal: Terminal,
): Promise<void> {
  const operator = runningOperator(folder, terminal);
  const { servers, rows } = operator ? ofRunning(await runningServers(operator)) : ofFiles(folder, terminal);
  const { print } = terminal;
  if (json) return print(JSON.stringify(servers));
  if (rows.length === 0) return print('No MCP server is defined.');
  for (const line of columns(rows)) print(line);
}

interface Listing {
  readonly servers: readonly object[];
  readonly rows: readonly (readonly string[])[];
}

function ofRunning(servers: Awaited<ReturnType<typeof runningServers>>): Listing {
  const rows = servers.map(({ serverName, disabled, status, transport, toolCount }) => [
    serverName,
    disabled ? 'disabled' : status,
    transport,
    ...(status === 'running' ? [`${toolCount} tools`] : []),
  ]);
  return { servers, rows };
}

function ofFiles(folder: ProjectFolder, { environment }: Terminal): Listing {
  const project = openProject(folder, surroundings(environment));
  const { configuration } = project;
  const mcpServers = Object.fromEntries(definedServers(project));
  const servers = Object.entries(redacted({ ...configuration, mcpServers }).mcpServers);
  return {
    servers: servers.map(([serverName, server]) => ({ serverName, ...server })),
    rows: servers.map(([name, server]) => [name, server.disabled ? 'disabled' : 'enabled', whereOf(server)]),
  };
}

function whereOf(server: McpServer): string {
  return server.transport === 'stdio' ? [server.command, ...(server.args ?? [])].join(' ') : server.url;
}
