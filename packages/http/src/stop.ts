/** Exit codes of all commands; 0 is success. */
export const exitCodes = {
  /** Everything that has no code of its own. */
  failure: 1,
  /** The command line is wrong. */
  usage: 64,
  /** Try again, or start me again. */
  tryAgain: 75,
  /** The operator must change the configuration. */
  configuration: 78,
} as const;

/**
 * Runs `handler` once at the first SIGTERM or SIGINT, then ends the process with 0, or with 1 when it fails; a second
 * signal ends it at once with 1.
 */
export function onStop(handler: (signal: NodeJS.Signals) => Promise<void>): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(exitCodes.failure);
    stopping = true;
    handler(signal).then(
      () => process.exit(0),
      () => process.exit(exitCodes.failure),
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
