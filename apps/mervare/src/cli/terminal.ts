/** What a command has of the process that it runs in. Only `main.ts` makes the one of the real process. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** One line on standard output. */
  readonly print: (line: string) => void;
  /** One line on standard error. */
  readonly complain: (line: string) => void;
}
