import { Trouble } from '@portolan/cli';
import type { Action } from '../operations/mcp/lifecycle.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { runningOperator } from './mcp-reach.ts';
import { controlRunning } from './mcp-running.ts';
import type { Terminal } from './terminal.ts';

/** `saivage mcp start`, `stop` and `restart`: a server of the Saivage that runs for the project. */
export async function controlServer(
  folder: ProjectFolder,
  serverName: string,
  action: Action,
  terminal: Terminal,
): Promise<void> {
  const operator = runningOperator(folder, terminal);
  if (!operator) {
    throw new Trouble(
      'No Saivage runs for this project. `mcp tools` and `mcp call` start a server for themselves alone.',
    );
  }
  const { status, toolCount } = await controlRunning(operator, serverName, action, terminal.interruption());
  terminal.print(status === 'running' ? `running, ${toolCount} tools` : status);
}
