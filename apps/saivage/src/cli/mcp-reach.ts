import { exitCodes, Trouble } from '@portolan/cli';
import type { Answer } from '@portolan/mcp/connect';
import { serverState } from '../project/endpoint.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { withServer, type Outcome } from './mcp-server.ts';
import { reachRunning } from './mcp-running.ts';
import { operatorAt, type Operator } from './operator.ts';
import type { Terminal } from './terminal.ts';

/** An MCP server that takes calls, wherever it runs. */
export interface Reached {
  readonly tools: readonly ReachedTool[];
  /** What the server says of itself beside its tools, as far as it is known here. */
  readonly about: Readonly<Record<string, unknown>>;
}

/** A tool as it was sent, what keeps it from being called, and its call. */
export interface ReachedTool {
  readonly name: string;
  readonly sent: Readonly<Record<string, unknown>>;
  readonly fault?: string | undefined;
  call(args: Readonly<Record<string, unknown>>): Promise<Answer>;
}

/**
 * Uses an MCP server for one command: through the Saivage that runs for the project, else started for this command alone
 * and ended with it. Never both: where it is not certain that none runs, the command is refused. Answers the exit code.
 */
export async function reach(
  folder: ProjectFolder,
  serverName: string,
  terminal: Terminal,
  use: (reached: Reached) => Promise<Outcome>,
): Promise<number> {
  const operator = runningOperator(folder, terminal);
  if (!operator) return withServer(folder, serverName, terminal, use);
  const reached = await reachRunning(operator, serverName, terminal);
  const { lines, code } = await use(reached);
  for (const line of lines) terminal.print(line);
  return code;
}

/** The operator API of the Saivage that runs for the project; undefined where none runs. */
export function runningOperator(folder: ProjectFolder, { environment }: Terminal): Operator | undefined {
  const found = serverState(folder);
  switch (found.state) {
    case 'stopped':
      return undefined;
    case 'running':
      return operatorAt(found.origin, environment);
    case 'doubtful':
      throw new Trouble(`It is not certain that no Saivage runs for this project: ${found.reason}.`);
    default:
      throw new Trouble(
        `Saivage is just starting or stopping here, as process ${found.pid}.`,
        exitCodes.tryAgain,
      );
  }
}
