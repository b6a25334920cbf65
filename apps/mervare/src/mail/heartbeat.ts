import { setTimeout as pause } from 'node:timers/promises';
import { LeaseLost } from '@portolan/store';
import { LEASE_MS } from './lease.ts';

/** Without a heartbeat for so long a delivery is given up, well before another node may begin one. Milliseconds. */
const SILENT_MS = LEASE_MS - 60_000;

/** For how long heartbeats go on, and what ends with them. */
interface Heartbeat {
  /** Between two of them. Milliseconds. */
  readonly beatMs: number;
  /** Gives the delivery up. */
  readonly lost: AbortController;
  /** The delivery has ended. */
  readonly done: AbortSignal;
}

/** Says again and again that the node is at it. Gives the delivery up when it is another's, or when that has not gone through for long. */
export async function keepBeating(
  beat: () => Promise<void>,
  { beatMs, lost, done }: Heartbeat,
): Promise<void> {
  const giveUp = () => lost.abort();
  let silent = setTimeout(giveUp, SILENT_MS);
  done.addEventListener('abort', () => clearTimeout(silent));
  for (;;) {
    await pause(beatMs, undefined, { signal: done }).catch(() => undefined);
    if (done.aborted) return;
    try {
      await beat();
      clearTimeout(silent);
      if (!done.aborted) silent = setTimeout(giveUp, SILENT_MS);
    } catch (error) {
      if (error instanceof LeaseLost) giveUp();
    }
  }
}
