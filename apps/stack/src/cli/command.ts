import { resolve } from 'node:path';
import { runProgram } from '@portolan/cli';
import { Command } from 'commander';
import { writeDocs } from '../docs.ts';
import { reset } from './reset.ts';
import { start } from './start.ts';
import { status } from './status.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line. Resolves with its exit code; for `start`, with that of having become ready. */
export function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(args, () => commands(terminal), terminal.complain);
}

function commands(terminal: Terminal): Command {
  const strict = (command: Command) =>
    command
      .exitOverride()
      .allowExcessArguments(false)
      .configureOutput({
        writeOut: (text) => terminal.print(text.trimEnd()),
        writeErr: (text) => terminal.complain(text.trimEnd()),
      });
  const program = strict(new Command('stack')).description(
    'All systems on this machine, wired, with sample data. Settings: PORTOLAN_HOME (the folder of everything, ' +
      './.portolan) and a port for each listener (0 takes a free one).',
  );
  const command = (name: string, says: string, run: (terminal: Terminal) => Promise<void>) =>
    strict(program.command(name))
      .description(says)
      .action(() => run(terminal));
  command('start', 'Start everything; end it with Ctrl-C.', start);
  command('status', 'Say what runs and where.', status);
  command('reset', 'Empty the home: data, secrets, sample project, logs.', reset);
  strict(program.command('docs', { hidden: true }))
    .description('Write the generated documents below a folder.')
    .requiredOption('--out <dir>', 'The root of the repository.')
    .action(({ out }: { out: string }) => writeDocs(resolve(terminal.workingFolder, out)));
  return program;
}
