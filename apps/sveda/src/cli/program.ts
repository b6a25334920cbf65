import { exitCodes, runProgram, strict, UsageError, valued, type Environment } from '@portolan/cli';
import { Command } from 'commander';
import { readSettings } from '../config/settings.ts';
import { release } from '../release.ts';
import { check } from './check.ts';
import { writeDocs } from './docs.ts';
import { serve } from './serve.ts';

/** What a command has of the process that it runs in. Only `main.ts` makes the one of the real process. */
export interface Terminal {
  readonly environment: Environment;
  readonly print: (line: string) => void;
  readonly complain: (line: string) => void;
}

/** Runs one command line and resolves with its exit code; for `serve`, with that of having become ready. */
export function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(args, (setCode) => commands(terminal, setCode), terminal.complain);
}

/** The whole command line, as data for parsing, for help and for the documents. */
export function commands(terminal: Terminal, setCode: (code: number) => void): Command {
  const program = strict(new Command('sveda'))
    .description('A chat agent to embed in a web application.')
    .version(release, '--version', 'Print the version.')
    .helpOption('--help', 'Print this help.');
  strict(program.command('serve'))
    .description('Serve until SIGTERM or SIGINT.')
    .addOption(valued('--host <address>', 'Address to listen on; 127.0.0.1 unless given.'))
    .addOption(valued('--port <port>', 'Port to listen on; 8787 unless given, 0 takes a free one.', portOf))
    .action(({ host = '127.0.0.1', port = 8787 }: { host?: string; port?: number }) =>
      serve(readSettings(terminal.environment), { host, port }),
    );
  strict(program.command('check'))
    .description('Judge the configuration and the database, and say every fault.')
    .action(async () => {
      if (!(await check(terminal))) setCode(exitCodes.configuration);
    });
  strict(program.command('docs', { hidden: true }))
    .description('Write the generated documents below a folder.')
    .addOption(valued('--out <dir>', 'The root of the repository.').makeOptionMandatory())
    .action(({ out }: { out: string }) => writeDocs(out));
  return program;
}

function portOf(value: string): number {
  const port = /^(0|[1-9]\d{0,4})$/.test(value) ? Number(value) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError('--port must be a port from 0 to 65535.');
}
