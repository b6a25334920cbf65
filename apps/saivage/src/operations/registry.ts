import { killProcess, listProcesses, waitProcess } from './commands/manage.ts';
import { runCommand } from './commands/run.ts';
import { getStatus } from './get-status.ts';
import { mcpToolCall } from './mcp/call.ts';
import {
  mcpServerList,
  mcpServerRegister,
  mcpServerReplace,
  mcpServerUnregister,
} from './mcp/definitions.ts';
import { mcpCatalogRefresh, mcpServerControl } from './mcp/lifecycle.ts';
import { mcpTools } from './mcp/tools.ts';
import type { Operation } from './operation.ts';
import { read } from './read.ts';
import { showConfig } from './show-config.ts';

/** Every operation that this program has, each working. What each agent may use of them is decided by its grants. */
export const operations: readonly Operation[] = [
  getStatus,
  showConfig,
  read,
  listProcesses,
  runCommand,
  waitProcess,
  killProcess,
  mcpToolCall,
  mcpServerControl,
  mcpTools,
  mcpServerRegister,
  mcpServerReplace,
  mcpServerUnregister,
  mcpServerList,
  mcpCatalogRefresh,
];
