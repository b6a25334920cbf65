import type { Server } from './servers.ts';

/** A configuration that can be copied as it stands. */
export interface ClientConfiguration {
  readonly client: string;
  /** Where it goes. */
  readonly where: string;
  readonly text: string;
}

/** Configurations of common MCP clients for one server. They name an address and nothing secret. */
export function clientConfigurations({ name, endpoint }: Server, origin: string): ClientConfiguration[] {
  const url = `${origin}${endpoint}`;
  return [
    {
      client: 'Claude Code',
      where: 'in a terminal',
      text: `claude mcp add --transport http ${name} ${url}`,
    },
    {
      client: 'VS Code',
      where: '.vscode/mcp.json',
      text: JSON.stringify({ servers: { [name]: { type: 'http', url } } }, null, 2),
    },
    {
      client: 'Cursor',
      where: '.cursor/mcp.json',
      text: JSON.stringify({ mcpServers: { [name]: { url } } }, null, 2),
    },
    {
      client: 'Codex',
      where: '~/.codex/config.toml',
      text: `[mcp_servers.${name}]\nurl = "${url}"`,
    },
    {
      client: 'MCP Inspector',
      where: 'in a terminal',
      text: `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list`,
    },
  ];
}
