import { exitCodes } from '@portolan/http';
import { ProjectHeld } from '../project/lock.ts';
import { UsageError } from '../usage.ts';

/** How a command that failed ends: an exit code, and what the person at the terminal reads. */
export interface Failure {
  readonly code: number;
  readonly message: string;
}

/** Turns what a command threw into its end. An error of our own making keeps its stack: it is a report, not a message. */
export function failureOf(error: unknown): Failure {
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  if (error instanceof UsageError) return { code: exitCodes.usage, message };
  if (error instanceof ProjectHeld) return { code: exitCodes.failure, message };
  // Rooms have their own class of this name; the operator's part is the same.
  if (name === 'Misconfigured') return { code: exitCodes.configuration, message };
  if (code === 'EADDRINUSE') return { code: exitCodes.tryAgain, message: `The port is in use: ${message}.` };
  if (code !== undefined && /^E[A-Z]+$/.test(code)) return { code: exitCodes.failure, message };
  return { code: exitCodes.failure, message: stack ?? String(error) };
}
