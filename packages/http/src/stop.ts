import { createLog } from './log.ts';
import type { Logger } from './log.ts';

/** Exit codes of all commands; 0 is success. */
export const exitCodes = {
  /** Whatever has no code of its own. */
  failure: 1,
  /** The command line is wrong. */
  usage: 64,
  /** Try again, or start me again. */
  tryAgain: 75,
  /** The operator must change the configuration. */
  configuration: 78,
} as const;

/**
 * Runs `handler` at the first SIGTERM or SIGINT, then ends the process: with 0, or with 1 when the handler fails, which the
 * log then says. A second signal does not wait: it ends the process with 1 at once.
 */
export function onStop(
  handler: (signal: NodeJS.Signals) => Promise<void>,
  log: Logger = createLog({ name: 'stop' }),
): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(exitCodes.failure);
    stopping = true;
    log.info({ signal }, 'stopping');
    handler(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(exitCodes.failure);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
