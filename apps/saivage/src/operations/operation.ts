import { toolsFor, type Tool } from '@portolan/mcp/tool';
import type { Commands } from '../commands/commands.ts';
import type { Connections } from '../connections/connections.ts';
import type { ProjectFiles } from '../files/project-files.ts';
import { envelope } from './envelope.ts';
import type { Observation } from '../runtime/observation.ts';

/** Everything that an operation may ask for. */
export interface OperationDeps {
  readonly files: ProjectFiles;
  /** The redacted configuration as YAML text. */
  readonly configuration: string;
  /** The shell commands of the project. */
  readonly commands: Commands;
  /** The MCP servers of the project. */
  readonly connections: Connections;
  /** What is true of the project and its server at this moment. */
  readonly observe: () => Observation;
}

/** One operation of the Analyst. Who may use it is decided by grants and by the selection at start, not by the tool. */
export type Operation = Tool<OperationDeps>;

/** Makes an operation: `operation(name, definition).run(handler)`. */
export const operation = toolsFor<OperationDeps>(envelope);
