import { anyone } from '@portolan/mcp/tool';
import { z } from 'zod';
import { operation } from '../operation.ts';
import { onCommand } from './failure.ts';
import { CommandResult, result, timeout_ms } from './shapes.ts';

export const runCommand = operation('run_command', {
  title: 'Run a shell command',
  says:
    'Runs a command by sh -c in the project, with a small environment and without input. It is not fenced: it may do whatever the user ' +
    'of the server may. With wait it answers when the command has ended, or after timeout_ms with status running; the command goes ' +
    'on then, for wait_process and kill_process. Processes that a command leaves behind are ended with it.',
  access: anyone,
  effect: 'destroys',
  openWorld: true,
  input: z.strictObject({
    command: z
      .string()
      .min(1)
      .max(32_768)
      .regex(/^[^\0]*$/, 'holds a NUL character'),
    cwd: z.string().min(1).max(4_096).default('.').describe('From the root of the project.'),
    wait: z.boolean().default(true),
    timeout_ms: timeout_ms.default(120_000),
  }),
  output: CommandResult,
  example: { command: 'npm test', timeout_ms: 600_000 },
}).run(({ command, cwd, wait, timeout_ms: ms }, { deps: { commands }, caller, signal }) =>
  onCommand(async () => {
    const started = await commands.run({ command, cwd, startedBy: caller.name });
    return result(wait ? await commands.wait(started.id, { ms, signal }) : started);
  }),
);
