import { exitCodes } from '@portolan/cli';
import type { Command } from 'commander';
import { environmentVariables } from '../config/variables.ts';
import { generated, table } from './markdown.ts';

/** The page of commands, flags, environment variables and exit codes. */
export function commandsPage(program: Command): string {
  const commands = commandsOf(program, 'saivage').flatMap(({ line, command }) => [
    `## ${line}`,
    command.description(),
    command.options.length === 0
      ? 'It has no flags.'
      : table(
          ['flag', 'meaning'],
          command.options.map(({ flags, description }) => [`\`${flags}\``, description]),
        ),
  ]);
  return generated([
    '# Saivage: commands',
    'Flags are strict: an unknown, repeated, misplaced or valueless one ends the command before it has written anything.',
    ...commands,
    '## Environment variables',
    table(
      ['variable', 'meaning'],
      environmentVariables.map(({ name, says }) => [`\`${name}\``, says]),
    ),
    '## Exit codes',
    table(
      ['code', 'meaning'],
      [['0', 'success'], ...Object.values(exitCodes).map((code) => [String(code), meaning[code]])],
    ),
  ]);
}

/** The commands that do something, each with the words before its flags. */
function commandsOf(group: Command, words: string): { line: string; command: Command }[] {
  return group
    .createHelp()
    .visibleCommands(group)
    .filter((command) => command.name() !== 'help')
    .flatMap((command) => {
      const names = command.registeredArguments.map((argument) => ` ${argument.name().toUpperCase()}`);
      const line = `${words} ${command.name()}${names.join('')}`;
      return command.commands.length > 0 ? commandsOf(command, line) : [{ line, command }];
    });
}

const meaning: Readonly<Record<(typeof exitCodes)[keyof typeof exitCodes], string>> = {
  1: 'anything that has no code of its own',
  64: 'the command line is wrong',
  75: 'try again, or start me again',
  78: 'the configuration, or a variable of the environment, must be changed',
};
