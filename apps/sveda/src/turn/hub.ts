import type { SvedaEvent } from '@sveda-ai/protocol';

/** A reader's place in the hub: events that came since it last looked, and a way to wait for more. */
export interface Inbox {
  take(): SvedaEvent[];
  /** Resolves when something came, when a hint said so, or after `ms`. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Carries committed events to the readers on this node, and hints about those of other nodes. */
export interface Hub {
  publish(turnId: string, events: readonly SvedaEvent[]): void;
  /** Something may have been stored for a turn by another node; without a turn, for any. */
  hint(turnId?: string): void;
  open(turnId: string): Inbox;
}

/** Events that a reader who is behind keeps here; beyond them it reads the database. */
const KEPT = 1_000;

export function createHub(): Hub {
  const readers = new Map<string, Set<Reader>>();
  return {
    publish(turnId, events) {
      for (const reader of readers.get(turnId) ?? []) {
        reader.events = reader.events.length > KEPT ? [] : [...reader.events, ...events];
        reader.wake();
      }
    },
    hint(turnId) {
      const woken =
        turnId === undefined ? [...readers.values()].flatMap((set) => [...set]) : (readers.get(turnId) ?? []);
      for (const reader of woken) reader.wake();
    },
    open(turnId) {
      const reader: Reader = { events: [], wake: () => undefined, woken: false };
      const set = readers.get(turnId) ?? new Set();
      readers.set(turnId, set.add(reader));
      return inbox(reader, () => {
        set.delete(reader);
        if (set.size === 0) readers.delete(turnId);
      });
    },
  };
}

interface Reader {
  events: SvedaEvent[];
  woken: boolean;
  wake: () => void;
}

function inbox(reader: Reader, close: () => void): Inbox {
  const note = (): void => {
    reader.woken = true;
  };
  reader.wake = note;
  return {
    take() {
      const { events } = reader;
      reader.events = [];
      reader.woken = false;
      return events;
    },
    async wait(ms, signal) {
      if (reader.woken || signal.aborted) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => resolve(), { once: true });
        reader.wake = () => {
          note();
          clearTimeout(timer);
          resolve();
        };
      });
      reader.wake = note;
    },
    close,
  };
}
