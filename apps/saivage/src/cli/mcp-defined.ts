import { Misconfigured } from '@portolan/mcp/tool';
import { dynamicDefinition, type McpServer } from '../connections/definition.ts';
import { readDynamic } from '../connections/dynamic.ts';
import type { ProjectFolder } from '../project/folder.ts';

/**
 * Every server of a project, the operator's and those that agents have defined. Throws `Misconfigured` for a name that
 * both have.
 */
export function definedServers(
  folder: ProjectFolder,
  written: Readonly<Record<string, McpServer>>,
): Record<string, McpServer> {
  const dynamic = Object.entries(readDynamic(folder));
  const twice = dynamic.find(([name]) => Object.hasOwn(written, name));
  if (twice)
    throw new Misconfigured(`The MCP server "${twice[0]}" is defined in saivage.yaml and by an agent.`);
  const added = dynamic.map(([name, connection]) => [name, dynamicDefinition(connection).server] as const);
  return { ...written, ...Object.fromEntries(added) };
}
