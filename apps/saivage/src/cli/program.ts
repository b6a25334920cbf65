import { resolve } from 'node:path';
import { exitCodes, runProgram, strict, UsageError, valued, withSwitch } from '@portolan/cli';
import { Command } from 'commander';
import { findProject } from '../project/root.ts';
import { release } from '../release.ts';
import { check } from './check.ts';
import { writeDocs } from './docs.ts';
import { init } from './init.ts';
import { addMcp } from './mcp.ts';
import { reset } from './reset.ts';
import { start, type StartFlags } from './start.ts';
import { status } from './status.ts';
import type { Terminal } from './terminal.ts';

interface RootFlag {
  readonly projectRoot?: string;
}

/** Runs one command line and answers its exit code. The code of `start` is the one of having become ready. */
export function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(args, (setCode) => commands(terminal, setCode), terminal.complain);
}

/** The whole command line, as data for parsing, for help and for the documents. */
export function commands(terminal: Terminal, setCode: (code: number) => void): Command {
  const program = strict(new Command('saivage'))
    .description('An agent server for one project directory.')
    .version(release, '--version', 'Print the version.')
    .helpOption('--help', 'Print this help.');
  const command = (name: string, says: string) =>
    strict(program.command(name)).description(says).addOption(projectRoot());
  const project = ({ projectRoot: flag }: RootFlag) =>
    findProject({
      flag,
      variable: terminal.environment['SAIVAGE_PROJECT_ROOT'],
      workingFolder: terminal.workingFolder,
    });

  command('init', 'Write what is missing in .saivage/; never overwrite.').action((flags: RootFlag) =>
    init(project(flags), terminal),
  );
  command('start', 'Serve the project until SIGTERM or SIGINT.')
    .addOption(valued('--host <host>', 'Address of the operator API.'))
    .addOption(valued('--port <port>', 'Its port; 0 takes a free one.', operatorPort))
    .addOption(valued('--analyst-mode <mode>', 'internal (the default), external or both.'))
    .addOption(valued('--analyst-mcp-port <port>', 'Port of the external Analyst listener, 1 to 65535.'))
    .addOption(valued('--analyst-mcp-principal <name>', 'Who holds the Analyst token, for receipts.'))
    .addOption(valued('--analyst-mcp-tools <names>', 'Operations to offer, with commas and no spaces.'))
    .action((flags: RootFlag & StartFlags) => start(project(flags), flags, terminal));
  withSwitch(command('status', 'Say whether a server runs for the project.'), 'json', 'Print JSON.').action(
    (flags: RootFlag & { json?: true }) => status(project(flags), flags, terminal),
  );
  withSwitch(command('check', 'Judge the configuration; start nothing.'), 'json', 'Print JSON.').action(
    (flags: RootFlag & { json?: true }) => {
      if (!check(project(flags), flags, terminal)) setCode(exitCodes.configuration);
    },
  );
  withSwitch(command('reset', 'Remove .saivage/data and .saivage/work.'), 'yes', 'Do not ask.').action(
    async (flags: RootFlag & { yes?: true }) => {
      if (!(await reset(project(flags), flags, terminal))) setCode(exitCodes.failure);
    },
  );
  addMcp<RootFlag>(program, { terminal, setCode, projectRoot, project });
  strict(program.command('docs', { hidden: true }))
    .description('Write the generated documents below a folder.')
    .addOption(valued('--out <dir>', 'The root of the repository.').makeOptionMandatory())
    .action(({ out }: { out: string }) => writeDocs(resolve(terminal.workingFolder, out), program));
  return program;
}

function projectRoot() {
  return valued(
    '--project-root <dir>',
    'The project. Else SAIVAGE_PROJECT_ROOT, else the working directory.',
  );
}

function operatorPort(value: string): number {
  const port = /^(0|[1-9][0-9]{0,4})$/.test(value) ? Number(value) : -1;
  if (port >= 0 && port <= 65_535) return port;
  throw new UsageError('--port must be a port from 0 to 65535.');
}
