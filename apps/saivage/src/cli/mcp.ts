import { strict, UsageError, valued, withSwitch } from '@portolan/cli';
import type { Command, Option } from 'commander';
import { actions } from '../operations/mcp/lifecycle.ts';
import type { ProjectFolder } from '../project/folder.ts';
import { controlServer } from './mcp-control.ts';
import { callTool, jsonObject, type CallFlags } from './mcp-call.ts';
import { importFile } from './mcp-import.ts';
import { listServers } from './mcp-list.ts';
import { listTools } from './mcp-tools.ts';
import type { Terminal } from './terminal.ts';

/** What the commands below `mcp` share with all others. */
export interface Shared<RootFlag> {
  readonly terminal: Terminal;
  readonly setCode: (code: number) => void;
  readonly projectRoot: () => Option;
  readonly project: (flags: RootFlag) => ProjectFolder;
}

/** Adds `saivage mcp …`: what agents do with MCP servers, from a shell. */
export function addMcp<RootFlag>(
  program: Command,
  { terminal, setCode, projectRoot, project }: Shared<RootFlag>,
): void {
  const group = strict(program.command('mcp'))
    .description(
      'Use the MCP servers of a project from a shell: through the Saivage that runs for it, else alone.',
    )
    .exitOverride((error) => {
      if (error.code !== 'commander.help' || error.exitCode === 0) throw error;
      throw new UsageError('Name a command of mcp: list, tools, call, start, stop, restart, import.');
    });
  const command = (name: string, says: string) =>
    strict(group.command(name)).description(says).addOption(projectRoot());
  type Flags = RootFlag & { json?: true };

  withSwitch(command('list', 'List the servers; start nothing.'), 'json', 'Print JSON.').action(
    async (flags: Flags) => listServers(project(flags), flags, terminal),
  );
  withSwitch(
    command(
      'tools',
      'List all tools of a server; without a running Saivage it is started for that alone.',
    ).argument('<server>'),
    'json',
    'Print the tools as they were sent.',
  ).action(async (server: string, flags: Flags) =>
    setCode(await listTools(project(flags), server, flags, terminal)),
  );
  withSwitch(
    command('call', 'Call one tool of a server; without a running Saivage it is started for that alone.')
      .argument('<server>')
      .argument('<tool>')
      .addOption(valued('--args <json>', 'The arguments, a JSON object.', jsonObject)),
    'json',
    'Print the result as it was sent.',
  ).action(async (serverName: string, toolName: string, flags: Flags & CallFlags) =>
    setCode(await callTool(project(flags), { serverName, toolName }, flags, terminal)),
  );
  for (const action of actions) {
    command(action, `${words[action]} a server of the running Saivage.`)
      .argument('<server>')
      .action(async (server: string, flags: RootFlag) =>
        controlServer(project(flags), server, action, terminal),
      );
  }
  strict(group.command('import'))
    .description('Print the YAML for the mcpServers block of another client.')
    .argument('<file>')
    .action((file: string) => setCode(importFile(file, terminal)));
}

const words = { start: 'Start', stop: 'Stop', restart: 'Restart' } as const;
