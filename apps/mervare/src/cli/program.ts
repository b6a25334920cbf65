import { exitCodes, runProgram, strict, valued, withSwitch } from '@portolan/cli';
import { Command } from 'commander';
import { settings } from '../settings.ts';
import { release } from '../release.ts';
import { configured } from './configured.ts';
import type { Terminal } from './terminal.ts';

/** Runs one command line and resolves with its exit code; for `serve`, with that of having become ready. */
export function runCommand(args: readonly string[], terminal: Terminal): Promise<number> {
  return runProgram(args, (setCode) => commands(terminal, setCode), terminal.complain);
}

/**
 * The whole command line. The environment is read when a command runs, and what a command needs is loaded then: help, a slip and an import
 * wait for no site.
 */
export function commands(terminal: Terminal, setCode: (code: number) => void): Command {
  const program = strict(new Command('mervare'))
    .description('The harbour site and its MCP servers.')
    .version(release, '--version', 'Print the version.');
  const command = (parent: Command, name: string, says: string) =>
    strict(parent.command(name)).description(says);

  command(program, 'serve', 'Serve the site until SIGTERM or SIGINT.')
    .addOption(valued('--host <address>', defaulted(settings.host)))
    .addOption(valued('--port <port>', defaulted(settings.port)))
    .action(async (flags: { host?: string; port?: string }) => {
      const { serve } = await import('./serve.ts');
      await serve(configured(terminal, flags));
    });

  command(program, 'check', 'Judge the configuration and the database, and say every fault.').action(
    async () => {
      const { check } = await import('./check.ts');
      if (!(await check(terminal))) setCode(exitCodes.configuration);
    },
  );

  const harbour = command(program, 'harbour', 'The register of harbours.');
  command(harbour, 'import', 'Merge a GeoJSON file into the register, all or nothing.')
    .argument('<file>', 'FeatureCollection of points, one harbour a feature.')
    .action(async (file: string) => {
      const { importFile } = await import('./harbour-import.ts');
      await importFile(file, configured(terminal), terminal);
    });

  const logbook = command(program, 'logbook', 'Observed harbour traffic.');
  command(logbook, 'import', 'Merge a CSV file of visits into the logbook, all or nothing.')
    .argument('<file>', 'Columns: source, reference, harbour, arrival, departure, class, length_m.')
    .action(async (file: string) => {
      const { importLogbook } = await import('./logbook-import.ts');
      await importLogbook(file, configured(terminal), terminal);
    });

  const admin = command(program, 'admin', 'Accounts of super admins.');
  const asking = (one: Command) =>
    withSwitch(
      one,
      'ask',
      'Ask for the password, or read it from standard input; else one is made and printed.',
    );
  asking(command(admin, 'create', 'Make a super admin.'))
    .argument('<email>', 'E-mail address that the account is known by.')
    .addOption(valued('--name <name>', 'Name of the person. Without it: the address.'))
    .action(async (email: string, flags: { ask?: boolean; name?: string }) => {
      const { createAdmin } = await import('./admin.ts');
      await createAdmin(email, flags, configured(terminal), terminal);
    });
  asking(command(admin, 'password', 'Set the password of an account and end its sessions.'))
    .argument('<email>', 'E-mail address of the account.')
    .action(async (email: string, flags: { ask?: boolean }) => {
      const { changePassword } = await import('./admin.ts');
      await changePassword(email, flags, configured(terminal), terminal);
    });

  command(program, 'docs', 'Write the generated documents and snapshots.')
    .addOption(valued('--out <folder>', 'Root of the repository that they belong to.').makeOptionMandatory())
    .action(async ({ out }: { out: string }) => {
      const { writeDocs } = await import('./docs.ts');
      await writeDocs(out);
    });
  return program;
}

function defaulted({ says, byDefault }: { says: string; byDefault: string }): string {
  return `${says} Without it: ${byDefault}.`;
}
