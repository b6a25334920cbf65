import type { Store } from '@portolan/store';
import type { Tables } from '../tables.ts';
import type { Admission } from './admission.ts';
import { batchWriter } from './commit.ts';
import { createCommitter } from './committer.ts';
import { createFar, READ_CHANNEL } from './far.ts';
import { createHub } from './hub.ts';
import { createInterrupted } from './interrupted.ts';
import { createLeases, type Hold } from './leases.ts';
import { createSegments, type SegmentOptions } from './segments.ts';
import { STOP_CHANNEL } from './stop.ts';
import { TURN_CHANNEL } from './store.ts';
import { releaseTurns, sweepTurns } from './sweep.ts';
import type { WriterPorts } from './writer.ts';

/** What the turns of a node need: how they are admitted, how they run, and the database under both. */
export interface NodeOptions extends Omit<SegmentOptions, keyof WriterPorts | 'db' | 'broke'> {
  readonly store: Pick<Store<Tables>, 'db' | 'listen' | 'prepare'>;
  readonly admission: Admission;
}

/** Milliseconds between two looks at turns that run elsewhere. */
const LOOK_MS = 1_000;

/** The turns of one node: what runs here, who reads here, and what it does to keep and to take over turns. */
export async function openTurns({ store, admission, ...options }: NodeOptions) {
  const { db, listen, prepare } = store;
  const write = batchWriter(prepare);
  const { now, leaseMs } = admission;
  const { log } = options;
  const quietly = (work: Promise<unknown>, what: string): void => {
    work.catch((error: unknown) => log.warn({ err: error }, what));
  };
  const hub = createHub((turnId) => quietly(far.seek(turnId), 'turn not sought'));
  const far = createFar({
    db,
    now,
    runsHere: (turnId) => segments.runs(turnId),
    readHere: () => hub.elsewhere,
    hint: (turnId) => hub.hint(turnId),
  });
  const committer = createCommitter(
    (batches) => write(batches, now()),
    () => performance.now(),
  );
  const followedElsewhere = (turnId: string): boolean => far.isFollowed(turnId);
  const interrupted = createInterrupted(admission, log);
  const broke = (hold: Hold): void => void interrupted.add(hold);
  const segments = createSegments({ ...options, db, hub, committer, followedElsewhere, now, broke });
  const leases = createLeases({ db, segments, leaseMs, now, log });
  await listen(TURN_CHANNEL, (turnId) => hub.hint(turnId));
  await listen(READ_CHANNEL, (turnId) => {
    if (turnId !== undefined) quietly(far.asked(turnId), 'reader not told');
  });
  await listen(STOP_CHANNEL, (turnId) => turnId !== undefined && segments.stop(turnId));
  const timers = [
    setInterval(() => void leases.renew(), leaseMs / 3),
    setInterval(() => quietly(sweepTurns(admission), 'sweep failed'), leaseMs / 3),
    setInterval(() => quietly(far.look(), 'turns elsewhere not looked at'), LOOK_MS),
    setInterval(() => void interrupted.tell(), LOOK_MS),
  ];
  return {
    hub,
    segments,
    /** Waits up to `graceMs` for what runs here, then leaves the rest to others. */
    async end(graceMs: number): Promise<void> {
      await segments.close(graceMs);
      for (const timer of timers) clearInterval(timer);
      // Without a database others find them when their leases are over.
      await releaseTurns(admission).catch((error: unknown) => log.warn({ err: error }, 'turns not released'));
    },
  };
}
