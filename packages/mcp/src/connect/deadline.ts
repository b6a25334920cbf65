import { ConnectionFailure } from './errors.ts';

/** The end of some work: its time is over, or its caller no longer wants it. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Why the work ended; undefined while it has not. */
  reached(): 'timeout' | 'cancelled' | undefined;
  /** Milliseconds that are left, at least one. */
  left(): number;
  /** Forgets the timer and the caller. Always call it when the work is done. */
  clear(): void;
}

/** Begins a time of `budget` milliseconds. `callers` may each end it before. */
export function startDeadline(budget: number, ...callers: readonly (AbortSignal | undefined)[]): Deadline {
  const controller = new AbortController();
  const end = performance.now() + budget;
  let why: 'timeout' | 'cancelled' | undefined;
  const reach = (reason: 'timeout' | 'cancelled') => {
    why ??= reason;
    controller.abort();
  };
  const onCancel = () => reach('cancelled');
  const timer = setTimeout(reach, budget, 'timeout');
  for (const caller of callers) {
    if (caller?.aborted) onCancel();
    caller?.addEventListener('abort', onCancel, { once: true });
  }
  return {
    signal: controller.signal,
    reached: () => why,
    left: () => Math.max(1, Math.ceil(end - performance.now())),
    clear() {
      clearTimeout(timer);
      for (const caller of callers) caller?.removeEventListener('abort', onCancel);
    },
  };
}

/** What comes of the work, or throws when its time is over: then nobody waits for it, and its channel is ended. */
export async function withinDeadline<Value>(deadline: Deadline, work: Promise<Value>): Promise<Value> {
  const { signal } = deadline;
  let onEnd: (() => void) | undefined;
  const over = new Promise<never>((_, reject) => {
    onEnd = () => reject(new ConnectionFailure(deadline.reached() ?? 'timeout'));
    if (signal.aborted) onEnd();
    else signal.addEventListener('abort', onEnd, { once: true });
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    if (onEnd) signal.removeEventListener('abort', onEnd);
  }
}

/** Throws when the work has already ended, before anything of it went out. */
export function requireTime(deadline: Pick<Deadline, 'reached'>): void {
  const why = deadline.reached();
  if (why) throw new ConnectionFailure(why, { effects: 'none' });
}
