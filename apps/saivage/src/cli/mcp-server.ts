import { exitCodes, UsageError } from '@portolan/cli';
import { connect, ConnectionFailure, type Connection } from '@portolan/mcp/connect';
import { Misconfigured } from '@portolan/mcp/tool';
import type { Containment } from '@portolan/process';
import { definitionOf, rootsOf, type McpServer } from '../connections/definition.ts';
import { oneShot } from '../connections/one-shot.ts';
import { BUDGETS } from '../connections/open.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { openProject } from '../project/open.ts';
import { faultOf } from '../operations/mcp/tools.ts';
import { release } from '../release.ts';
import { definedServers } from './mcp-defined.ts';
import type { Reached } from './mcp-reach.ts';
import { printable } from './printable.ts';
import { surroundings } from './surroundings.ts';
import type { Terminal } from './terminal.ts';

/** What a command prints once the server has ended, and its exit code. */
export interface Outcome {
  readonly lines: readonly string[];
  readonly code: number;
}

/**
 * Starts a configured server for one command, uses it and ends it with all its processes; an interruption does the
 * same. Takes neither lock nor database. Answers the exit code.
 */
export async function withServer(
  folder: ProjectFolder,
  serverName: string,
  terminal: Terminal,
  use: (reached: Reached) => Promise<Outcome>,
): Promise<number> {
  const { root } = folder;
  const server = serverNamed(folder, serverName, terminal);
  const definition = definitionOf(server, { root, environment: terminal.environment });
  const signal = terminal.interruption();
  const opening = connect(definition, {
    budget: BUDGETS.start,
    signal,
    clientInfo: { name: 'saivage', version: release },
    roots: rootsOf(server, root),
  });
  try {
    const { result, containment } = await oneShot(opening, (connection) =>
      use(reachedBy(connection, signal)),
    );
    for (const line of result.lines) terminal.print(line);
    if (containment.contained) return result.code;
    terminal.complain(`saivage: ${leftBy(containment)}`);
    return exitCodes.failure;
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    for (const line of linesOf(serverName, error)) terminal.complain(line);
    return error.code === 'arguments_invalid' ? exitCodes.usage : exitCodes.failure;
  }
}

function reachedBy(connection: Connection, signal: AbortSignal): Reached {
  const { serverInfo, revision, instructions, catalog } = connection;
  return {
    about: { serverInfo, revision, instructions, nameless: catalog.nameless },
    tools: catalog.tools.map((tool) => ({
      name: tool.name,
      sent: tool.sent,
      fault: faultOf(tool)?.says,
      call: (args) => connection.call(tool, args, { budget: BUDGETS.call, signal }),
    })),
  };
}

function serverNamed(folder: ProjectFolder, name: string, { environment }: Terminal): McpServer {
  const server = definedServers(openProject(folder, surroundings(environment))).get(name);
  if (!server) throw new UsageError(`There is no MCP server "${name}".`);
  if (server.disabled) throw new Misconfigured(`The MCP server "${name}" is disabled in saivage.yaml.`);
  return server;
}

/** All that a failure tells, for the person at the terminal alone: the end of stderr is shown nowhere else. */
function linesOf(serverName: string, failure: ConnectionFailure): string[] {
  const { phase, peer, rows, stderr, containment, message, code, effects } = failure;
  const what = phase
    ? `The MCP server "${serverName}" failed to start, in the phase ${phase}`
    : `The MCP server "${serverName}" failed`;
  const why = failure.cause instanceof ConnectionFailure ? ` ${failure.cause.message}` : '';
  const acted = !phase && effects === 'possible' ? ' It may have acted on the request.' : '';
  return [
    code === 'arguments_invalid' ? `saivage: ${message}` : `saivage: ${what}. ${message}${why}${acted}`,
    ...(containment?.contained === false ? [leftBy(containment)] : []),
    ...(peer ? [`It said: ${printable(peer.message)}`] : []),
    ...rows,
    ...(stderr ? ['The last that it wrote to stderr:', printable(stderr.trimEnd())] : []),
  ];
}

/** Which processes could not be shown to have ended. */
function leftBy(containment: Extract<Containment, { contained: false }>): string {
  const { pids } = containment;
  return pids.length > 0
    ? `Processes of the server are left: ${pids.join(', ')}.`
    : 'Whether processes of the server are left could not be found out.';
}
