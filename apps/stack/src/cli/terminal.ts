import type { Logger } from '@portolan/http';

/** What a command has of the process that it runs in. Only `main.ts` makes one of the real process. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingFolder: string;
  /** One line on standard output. */
  readonly print: (line: string) => void;
  /** One line on standard error. */
  readonly complain: (line: string) => void;
  /** Whether a person reads standard output. */
  readonly isTerminal: boolean;
  /** Runs once when the process is told to end; the process then ends. */
  readonly onStop: (handler: () => Promise<void>, log: Logger) => void;
}
