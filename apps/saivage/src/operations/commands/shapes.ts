import { Untrusted, untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import type { CommandView } from '../../commands/command.ts';

/** A command, as an argument. */
export const process_id = z
  .string()
  .min(1)
  .max(64)
  .describe('As run_command or list_processes_tool answers it. Never the number of a process of the system.');

export const status = z
  .enum(['running', 'exited', 'killed', 'not_contained'])
  .describe('not_contained: it has ended, and processes of it could not be ended.');

/** Milliseconds that an operation may wait. */
export const timeout_ms = z.int().min(0).max(900_000);

/** A command as agents see it. */
export const ShownCommand = z.object({
  process_id: z.string(),
  command: z.string(),
  cwd: z.string(),
  started_by: z.string(),
  started_at: z.string(),
  ended_at: z.string().optional(),
  status,
  exit_code: z.int().optional().describe('Absent while it runs, and where a signal ended it.'),
  signal: z.string().optional(),
  output_bytes: z.int().min(0).describe('Of everything that it wrote to stdout and stderr.'),
  log: z.string().describe('The output, from the root of the project; for read.'),
  log_cut: z.boolean().describe('The log holds less than the command wrote.'),
});

/** A command with the end of its output. */
export const CommandResult = ShownCommand.extend({
  output: Untrusted.describe('The last 16 KiB of the output.'),
});

/** What agents see of a command. */
export function shown(view: CommandView) {
  return {
    process_id: view.id,
    command: view.command,
    cwd: view.cwd,
    started_by: view.startedBy,
    started_at: view.startedAt,
    ...(view.endedAt !== undefined && { ended_at: view.endedAt }),
    status: view.status,
    ...(view.exitCode !== undefined && { exit_code: view.exitCode }),
    ...(view.signal !== undefined && { signal: view.signal }),
    output_bytes: view.outputBytes,
    log: `.saivage/work/commands/${view.id}.log`,
    log_cut: view.logCut,
  };
}

export function result(view: CommandView) {
  return { ...shown(view), output: untrusted(view.tail) };
}
