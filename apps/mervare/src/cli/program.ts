import { exitCodes } from '@portolan/http';
import { Command, CommanderError, Option } from 'commander';
import { settings } from '../config.ts';
import { release } from '../release.ts';
import { check } from './check.ts';
import { configured } from './configured.ts';
import { writeDocs } from './docs.ts';
import { failureOf } from './failure.ts';
import { importFile } from './harbour-import.ts';
import { serve } from './serve.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line and resolves with its exit code; for `serve`, with that of having become ready. */
export async function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = 0;
  const program = commands(terminal, (failed) => (code = failed));
  try {
    await program.parseAsync(args, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
    const failure = failureOf(error);
    terminal.complain(`mervare: ${failure.message}`);
    return failure.code;
  }
}

/** The whole command line. Commander says what is wrong with one; the environment is read when a command runs. */
export function commands(terminal: Terminal, setCode: (code: number) => void): Command {
  const program = strict(new Command('mervare'), terminal)
    .description('The harbour site and its MCP servers.')
    .version(release, '--version', 'Print the version.');
  const command = (parent: Command, name: string, says: string) =>
    strict(parent.command(name), terminal).description(says);

  command(program, 'serve', 'Serve the site until SIGTERM or SIGINT.')
    .addOption(option('--host <address>', settings.host.says, settings.host.byDefault))
    .addOption(option('--port <port>', settings.port.says, settings.port.byDefault))
    .action((flags: { host: string; port: string }) => serve(configured(terminal, flags)));

  command(program, 'check', 'Judge the configuration and the database, and say every fault.').action(
    async () => {
      if (!(await check(terminal))) setCode(exitCodes.configuration);
    },
  );

  command(
    command(program, 'harbour', 'The register of harbours.'),
    'import',
    'Merge a GeoJSON file, all or nothing.',
  )
    .argument('<file>', 'FeatureCollection of points, one harbour a feature.')
    .action((file: string) => importFile(file, configured(terminal), terminal));

  command(program, 'docs', 'Write the generated documents and snapshots.')
    .requiredOption('--out <folder>', 'Root of the repository that they belong to.')
    .action(({ out }: { out: string }) => writeDocs(out));
  return program;
}

function option(flags: string, says: string, byDefault: string): Option {
  return new Option(flags, says).default(byDefault);
}

function strict(command: Command, { print, complain }: Terminal): Command {
  return command
    .exitOverride()
    .allowExcessArguments(false)
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => complain(text.trimEnd()),
    });
}
