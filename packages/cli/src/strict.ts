import { type CommanderError, Option, type Command } from 'commander';
import { UsageError } from './usage.ts';

/** An option that takes a value: exactly one, given once. `parse` may judge it further. */
export function valued<Value = string>(
  flags: string,
  description: string,
  parse: (value: string) => Value = (value) => value as Value,
): Option {
  const [name = flags] = flags.split(' ');
  return new Option(flags, description).argParser((value: string, before: Value | undefined) => {
    if (before !== undefined) throw new UsageError(`${name} is given twice.`);
    // Commander would take the next option for the value of one that has none.
    if (value === '' || value.startsWith('-')) throw new UsageError(`${name} needs a value.`);
    return parse(value);
  });
}

/** Adds a switch to a command: it takes no value and may be given once. */
export function withSwitch(command: Command, name: string, description: string): Command {
  let given = false;
  return command.option(`--${name}`, description).on(`option:${name}`, () => {
    if (given) throw new UsageError(`--${name} is given twice.`);
    given = true;
  });
}

/** Makes commander throw, not print and exit. */
export function strict(command: Command): Command {
  return command
    .exitOverride()
    .showSuggestionAfterError(false)
    .allowExcessArguments(false)
    .configureOutput({ writeErr: () => undefined });
}

/** What commander found wrong, as one plain sentence; undefined when it only showed help or the version. */
export function usageErrorOf(error: CommanderError, program: Command): UsageError | undefined {
  if (error.exitCode === 0) return undefined;
  const [, quoted = ''] = /'([^']*)'/.exec(error.message) ?? [];
  switch (error.code) {
    case 'commander.help': // shown where no command is named at all
      return new UsageError(`Name a command: ${namesOf(program)}.`);
    case 'commander.excessArguments':
      return new UsageError(
        / Expected 0 /.test(error.message)
          ? `The command ${quoted} takes no arguments, only options.`
          : `The command ${quoted} takes fewer arguments.`,
      );
    case 'commander.optionMissingArgument':
      return new UsageError(`${quoted.split(' ', 1)[0]} needs a value.`);
    default:
      return new UsageError(`${error.message.replace(/^error: /, '').replace(/^./, upper)}.`);
  }
}

function upper(letter: string): string {
  return letter.toUpperCase();
}

function namesOf(program: Command): string {
  const shown = program.createHelp().visibleCommands(program);
  return shown
    .map((one) => one.name())
    .filter((name) => name !== 'help')
    .join(', ');
}
