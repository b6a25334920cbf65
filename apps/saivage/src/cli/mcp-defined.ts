import { dynamicDefinition, type McpServer } from '../connections/definition.ts';
import { readDynamic } from '../connections/dynamic.ts';
import type { Project } from '../project/open.ts';

/** Every server of a project: the operator's, and those that agents have defined. No name is in both. */
export function definedServers({ folder, configuration }: Pick<Project, 'folder' | 'configuration'>) {
  const dynamic = Object.entries(readDynamic(folder));
  const added = dynamic.map(([name, connection]) => [name, dynamicDefinition(connection).server] as const);
  return new Map<string, McpServer>([...Object.entries(configuration.mcpServers), ...added]);
}
