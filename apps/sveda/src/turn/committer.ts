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

type Write = (batches: readonly Batch[]) => Promise<ReadonlyMap<string, Outcome>>;

/** Milliseconds between two groups. What is urgent waits for none of them. */
const GROUP_MS = 20;

/** Turns of one write; further ones come with the next, which follows at once. */
const TURNS = 256;

/** Milliseconds after which a turn whose row was locked is tried again. */
const BUSY_MS = 5;

/**
 * At most two writes at a time for a whole node: one of everything that its turns have, so that the round trip, the flush of the disk
 * and the planning of the statement are paid once a group and not once a turn; beside it one of what is urgent, which waits for no
 * group and is not held up by its size. A turn is never in both: its source gives nothing while a batch of it is under way. `clock` is
 * in milliseconds and never goes back.
 */
export function createCommitter(write: Write, clock: () => number): Committer {
  const lanes = { now: openLane(write, clock, 0), soon: openLane(write, clock, GROUP_MS) };
  return { ask: (source, when) => lanes[when].ask(source) };
}

type Taken = readonly [Source, Batch];

/** True where the database has looked at what was written and would take none of it, true again if asked again. */
function isRefusal(error: unknown): boolean {
  // Data, constraints, limits of a row, a trigger's own error.
  return error instanceof Error && 'code' in error && /^(?:22|23|54|P0)...$/.test(String(error.code));
}

/** One write after the other, with at least `pauseMs` from the start of one to the start of the next. */
function openLane(write: Write, clock: () => number, pauseMs: number) {
  const asking = new Set<Source>();
  const busy = new Map<Source, Batch>();
  let writing = false;
  let full = false;
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
    due = Number.POSITIVE_INFINITY;
    wrote = clock();
    void group().finally(() => {
      writing = false;
      if (busy.size > 0) plan(clock() + BUSY_MS);
      if (asking.size > 0) plan(full ? clock() : wrote + pauseMs);
    });
  }

  async function group(): Promise<void> {
    const taken = [...take()];
    if (taken.length > 0) await put(taken);
  }

  /** What the database refuses is sought by halves, so that it takes no other turn with it. */
  async function put(taken: readonly Taken[]): Promise<void> {
    let outcomes: ReadonlyMap<string, Outcome>;
    try {
      outcomes = await write(taken.map(([, batch]) => batch));
    } catch (error) {
      const half = Math.ceil(taken.length / 2);
      if (taken.length > 1 && isRefusal(error)) {
        await put(taken.slice(0, half));
        return put(taken.slice(half));
      }
      for (const [source] of taken) source.failed(error);
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
    full = false;
    for (const source of asking) {
      full = taken.size >= TURNS;
      if (full) break;
      asking.delete(source);
      const batch = source.take();
      if (batch) taken.set(source, batch);
    }
    return taken;
  }

  return {
    ask(source: Source): void {
      asking.add(source);
      plan(wrote + pauseMs);
    },
  };
}
