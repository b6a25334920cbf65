/** What a command has of the process that it runs in. Only `main.ts` makes the one of the real process. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One line on standard output. */
  readonly print: (line: string) => void;
  /** One line on standard error. */
  readonly complain: (line: string) => void;
  /** Whether a person reads standard output. */
  readonly isTerminal: boolean;
  /** One line of standard input; a person is asked for it, and it is not shown. */
  readonly readSecret: (prompt: string) => Promise<string>;
}
