import { LeaseLost } from '@portolan/store';
import type { Batch, Outcome } from './commit.ts';

/** A turn that has something to be written. */
export interface Source {
  /** What is to be written now, or nothing. Not asked again before `wrote` or `failed` was told of it. */
  take(): Batch | undefined;
  wrote(batch: Batch): void;
  /** LeaseLost when another node has the turn; else why the database did not take it. */
  failed(error: unknown): void;
}

/** Writes for all turns of a node. */
export interface Committer {
  /** Asks for `source` to be written: at once, or with the next group. */
  ask(source: Source, when: 'now' | 'soon'): void;
}

/** Milliseconds between two groups. What is urgent waits for none of them. */
const GROUP_MS = 20;

/** Turns of one write; further ones come with the next, which follows at once. */
const TURNS = 256;

/** Milliseconds after which a turn whose row was locked is tried again. */
const BUSY_MS = 5;

/**
 * One write at a time for a whole node, of everything that its turns have: the round trip, the flush of the disk and the planning of the
 * statement are paid once a group and not once a turn. The first event after a pause goes at once; what is urgent takes along all
 * that waits. `clock` is in milliseconds and never goes back.
 */
export function createCommitter(
  write: (batches: readonly Batch[]) => Promise<ReadonlyMap<string, Outcome>>,
  clock: () => number,
): Committer {
  const asking = new Set<Source>();
  const busy = new Map<Source, Batch>();
  let urgent = false;
  let writing = false;
  let wrote = Number.NEGATIVE_INFINITY;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = Number.POSITIVE_INFINITY;

  /** Plans the next write for then, unless an earlier one is planned. */
  function plan(at: number): void {
    if (writing || at >= due) return;
    clearTimeout(timer);
    due = at;
    const pause = at - clock();
    // What arrives together is written together: the whole round of the event loop first.
    if (pause <= 0) setImmediate(run);
    else timer = setTimeout(run, pause);
  }

  function run(): void {
    if (writing) return;
    clearTimeout(timer);
    writing = true;
    urgent = false;
    due = Number.POSITIVE_INFINITY;
    wrote = clock();
    void group().finally(() => {
      writing = false;
      if (busy.size > 0) plan(clock() + BUSY_MS);
      if (asking.size > 0) plan(urgent ? clock() : wrote + GROUP_MS);
    });
  }

  async function group(): Promise<void> {
    const taken = take();
    if (taken.size === 0) return;
    let outcomes: ReadonlyMap<string, Outcome>;
    try {
      outcomes = await write([...taken.values()]);
    } catch (error) {
      for (const source of taken.keys()) source.failed(error);
      return;
    }
    for (const [source, batch] of taken) {
      const outcome = outcomes.get(batch.turnId) ?? 'lost';
      if (outcome === 'busy') busy.set(source, batch);
      else if (outcome === 'lost') source.failed(new LeaseLost(batch.turnId));
      else source.wrote(batch);
    }
  }

  function take(): Map<Source, Batch> {
    const taken = new Map(busy);
    busy.clear();
    for (const source of asking) {
      if (taken.size >= TURNS) {
        urgent = true;
        break;
      }
      if (taken.has(source)) continue;
      asking.delete(source);
      const batch = source.take();
      if (batch) taken.set(source, batch);
    }
    return taken;
  }

  return {
    ask(source, when) {
      asking.add(source);
      urgent ||= when === 'now';
      plan(when === 'now' ? clock() : wrote + GROUP_MS);
    },
  };
}
