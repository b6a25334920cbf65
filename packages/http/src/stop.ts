import { createLog } from './log.ts';
import type { Logger } from './log.ts';

/** How a process ends that was not ended in order. */
const FAILURE = 1;

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
    if (stopping) process.exit(FAILURE);
    stopping = true;
    log.info({ signal }, 'stopping');
    handler(signal).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'stopping failed');
        process.exit(FAILURE);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
