import type { Environment } from '@portolan/cli';
import type { Logger } from '@portolan/http';
import type { Secrets } from '../config/secrets.ts';

/** What a command has of the process that it runs in. Only `main.ts` makes one of the real process. */
export interface Terminal {
  readonly environment: Environment;
  /** Takes Saivage's own secrets out of the environment. Throws `Misconfigured`. */
  readonly takeSecrets: () => Secrets;
  readonly workingFolder: string;
  /** One line on standard output. */
  readonly print: (line: string) => void;
  /** One line on standard error. */
  readonly complain: (line: string) => void;
  /** Where the log of a server goes. */
  readonly log: { readonly write: (text: string) => void };
  /** What a person answers; undefined where there is nobody to ask. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Aborts when the process is told to end for the first time; the second time it ends at once. */
  readonly interruption: () => AbortSignal;
  /** Runs once when the process is told to end; the process then ends. */
  readonly onStop: (handler: () => Promise<void>, log: Logger) => void;
}
