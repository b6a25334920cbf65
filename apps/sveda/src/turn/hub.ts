import type { SvedaEvent } from '@sveda-ai/protocol';

/** Why a reader was woken: events came here, or it should look at the database itself. */
export type Woken = 'published' | 'look';

/** A reader's place in the hub: events that came since it last looked, and a way to wait for more. */
export interface Inbox {
  take(): SvedaEvent[];
  /** Resolves when something came, when a hint said so, or after `ms`. */
  wait(ms: number, signal: AbortSignal): Promise<Woken>;
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

interface Reader {
  events: SvedaEvent[];
  /** Its turn runs on this node: events come by themselves, and hints about them say nothing new. */
  local: boolean;
  woken: Woken | undefined;
  wake: (why: Woken) => void;
}

export function createHub(): Hub {
  const readers = new Map<string, Set<Reader>>();
  return {
    publish(turnId, events) {
      for (const reader of readers.get(turnId) ?? []) {
        reader.events = reader.events.length > KEPT ? [] : [...reader.events, ...events];
        reader.local = true;
        reader.wake('published');
      }
    },
    hint(turnId) {
      const hinted =
        turnId === undefined ? [...readers.values()].flatMap((set) => [...set]) : (readers.get(turnId) ?? []);
      for (const reader of hinted) if (!reader.local || turnId === undefined) reader.wake('look');
    },
    open(turnId) {
      const reader: Reader = { events: [], local: false, woken: undefined, wake: () => undefined };
      const set = readers.get(turnId) ?? new Set();
      readers.set(turnId, set.add(reader));
      return inbox(reader, () => {
        set.delete(reader);
        if (set.size === 0) readers.delete(turnId);
      });
    },
  };
}

function inbox(reader: Reader, close: () => void): Inbox {
  const note = (why: Woken): void => {
    reader.woken = why;
  };
  reader.wake = note;
  return {
    take() {
      const { events } = reader;
      reader.events = [];
      reader.woken = undefined;
      return events;
    },
    async wait(ms, signal) {
      if (reader.woken || signal.aborted) return reader.woken ?? 'look';
      return new Promise<Woken>((resolve) => {
        const end = (why: Woken): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', look);
          reader.wake = note;
          resolve(why);
        };
        const look = (): void => end('look');
        const timer = setTimeout(look, ms);
        signal.addEventListener('abort', look);
        reader.wake = end;
      });
    },
    close,
  };
}
