import { CommanderError, type Command } from 'commander';
import { exitCodes } from './exit-codes.ts';
import { usageErrorOf } from './strict.ts';
import { Trouble } from './trouble.ts';
import { UsageError } from './usage.ts';

/** How a command that failed ends: an exit code, and what the person at the terminal reads. */
export interface Failure {
  readonly code: number;
  readonly message: string;
}

/** Turns what a command threw into its end; undefined when commander only showed help or the version. */
export function failureOf(error: unknown, program: Command): Failure | undefined {
  const thrown = error instanceof CommanderError ? usageErrorOf(error, program) : error;
  return thrown === undefined ? undefined : failure(thrown);
}

/** An error that nobody expected keeps its stack: it is a report, not a message. */
function failure(error: unknown): Failure {
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError) return { code: exitCodes.usage, message };
  if (error instanceof Trouble) return error;
  // Rooms have their own classes of these names; who must act is the same.
  if (name === 'Misconfigured') return { code: exitCodes.configuration, message };
  if (name === 'Refusal') return { code: exitCodes.failure, message };
  if (code === 'EADDRINUSE')
    return {
      code: exitCodes.tryAgain,
      message: `The port is in use: ${message}. Name another one by its flag.`,
    };
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return { code: exitCodes.failure, message };
  return { code: exitCodes.failure, message: stack ?? String(error) };
}
