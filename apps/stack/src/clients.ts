import { join } from 'node:path';
import type { McpClient, Told } from './apps/app.ts';
import type { Home } from './home.ts';
import { writePrivate } from './private-file.ts';

/** A written MCP client configuration. */
export interface ClientFile {
  readonly file: string;
  readonly says: string;
}

/**
 * Writes how MCP clients reach the servers, tokens included, in the two forms that they read: `mcpServers` (desktop
 * clients, most editors, the Inspector) and VS Code's `servers`.
 */
export async function writeClients(home: Home, told: Readonly<Record<string, Told>>): Promise<ClientFile[]> {
  const servers: Record<string, McpClient & { type: 'http' }> = {};
  for (const { clients } of Object.values(told))
    for (const [name, client] of Object.entries(clients)) servers[name] = { type: 'http', ...client };
  const files = [
    { file: join(home.clients, 'mcp.json'), says: 'most clients', content: { mcpServers: servers } },
    { file: join(home.clients, 'vscode-mcp.json'), says: 'VS Code', content: { servers } },
  ];
  for (const { file, content } of files) await writePrivate(file, content);
  return files;
}
