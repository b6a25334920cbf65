import { exitCodes } from '@portolan/http';

/** How a command that failed ends. */
export interface Failure {
  readonly code: number;
  /** What the person at the terminal reads. */
  readonly message: string;
}

/** Turns what a command threw into its end. An error that nobody expected keeps its stack: it is a report. */
export function failureOf(error: unknown): Failure {
  const { name, message, stack, code } = error as NodeJS.ErrnoException;
  if (name === 'Misconfigured') return { code: exitCodes.configuration, message };
  if (name === 'Refusal') return { code: exitCodes.failure, message };
  if (code === 'EADDRINUSE') return { code: exitCodes.tryAgain, message: `The port is in use: ${message}.` };
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return { code: exitCodes.failure, message };
  return { code: exitCodes.failure, message: stack ?? String(error) };
}
