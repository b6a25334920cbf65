import { anyone } from '@portolan/mcp/tool';
import { z } from 'zod';
import { operation } from '../operation.ts';
import { onCommand, refuseMcpProcess } from './failure.ts';
import { CommandResult, process_id, result, shown, ShownCommand, status, timeout_ms } from './shapes.ts';

export const listProcesses = operation('list_processes_tool', {
  title: 'List commands',
  says: 'The commands that run_command has started since Saivage started, the newest first. MCP servers are not among them.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({ status: status.optional() }),
  output: z.object({ processes: z.array(ShownCommand) }),
  example: { status: 'running' },
}).run(async ({ status: wanted }, { deps }) => ({
  processes: deps.commands.list(wanted).map(shown),
}));

export const waitProcess = operation('wait_process', {
  title: 'Wait for a command',
  says: 'Answers when the command has ended, or after timeout_ms with what it has written so far.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({ process_id, timeout_ms: timeout_ms.default(120_000) }),
  output: CommandResult,
  example: { process_id: '019e1b1e-6c3e-7c7a-9b60-4f3f0d7c5a11' },
}).run(({ process_id: id, timeout_ms: ms }, { deps: { commands, connections }, signal }) =>
  onCommand(async () => {
    refuseMcpProcess(connections, id);
    return result(await commands.wait(id, { ms, signal }));
  }),
);

export const killProcess = operation('kill_process', {
  title: 'End a command',
  says: 'Ends a command with everything that it started: SIGTERM, then SIGKILL. It answers when nothing of it is left.',
  access: anyone,
  effect: 'destroys',
  input: z.strictObject({ process_id }),
  output: CommandResult,
  example: { process_id: '019e1b1e-6c3e-7c7a-9b60-4f3f0d7c5a11' },
}).run(({ process_id: id }, { deps: { commands, connections } }) =>
  onCommand(async () => {
    refuseMcpProcess(connections, id);
    return result(await commands.kill(id));
  }),
);
