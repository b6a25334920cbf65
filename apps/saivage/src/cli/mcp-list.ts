import { redacted } from '../config/redact.ts';
import type { McpServer } from '../connections/definition.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { openProject } from '../project/open.ts';
import { columns } from './printable.ts';
import { surroundings } from './surroundings.ts';
import type { Terminal } from './terminal.ts';

/** `saivage mcp list`: the servers that saivage.yaml defines, without secrets. Starts nothing. */
export function listServers(
  folder: ProjectFolder,
  { json }: { readonly json?: true },
  { environment, print }: Terminal,
): void {
  const { configuration } = openProject(folder, surroundings(environment));
  const servers = Object.entries(redacted(configuration).mcpServers);
  if (json) return print(JSON.stringify(servers.map(([serverName, server]) => ({ serverName, ...server }))));
  if (servers.length === 0) return print('saivage.yaml defines no MCP server.');
  for (const line of columns(servers.map(([name, server]) => [name, stateOf(server), whereOf(server)])))
    print(line);
}

function stateOf({ disabled }: McpServer): string {
  return disabled ? 'disabled' : 'enabled';
}

function whereOf(server: McpServer): string {
  return server.transport === 'stdio' ? [server.command, ...(server.args ?? [])].join(' ') : server.url;
}
