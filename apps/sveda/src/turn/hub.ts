import type { SvedaEvent } from '@sveda-ai/protocol';

/** A reader's place in the hub. */
export interface Place {
  /** The events after `last` as this node knows them; undefined where it does not and the database must be asked. */
  after(last: number): readonly SvedaEvent[] | undefined;
  /** Resolves when something has come since `after` was last asked, and when `signal` aborts. */
  news(signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Carries committed events to the readers on this node, and hints about turns that run on others. */
export interface Hub {
  /** The turn's segment runs here from now on; `events` are stored already. */
  begin(turnId: string, events: readonly SvedaEvent[]): void;
  publish(turnId: string, events: readonly SvedaEvent[]): void;
  /** The segment runs here no longer, however it ended. */
  end(turnId: string): void;
  /** Something may have been stored for a turn by another node; without a turn, for any. */
  hint(turnId?: string): void;
  open(turnId: string): Place;
  /** Turns that are read here and run elsewhere, if at all. */
  readonly elsewhere: readonly string[];
}

/** Events of a running turn that are kept for its readers; who is further behind reads the database. */
const KEPT = 64;

interface Stage {
  events: SvedaEvent[];
}

/** A turn with readers, running here, or both. */
interface Room {
  stage: Stage | undefined;
  readonly readers: Set<Reader>;
}

interface Reader {
  stage: Stage | undefined;
  woken: boolean;
  wake: () => void;
}

/** `seek` is told once a reader waits for a turn that does not run here. */
export function createHub(seek: (turnId: string) => void): Hub {
  const rooms = new Map<string, Room>();
  const roomOf = (turnId: string): Room => {
    const room = rooms.get(turnId) ?? { stage: undefined, readers: new Set() };
    rooms.set(turnId, room);
    return room;
  };
  const tidy = (turnId: string, { stage, readers }: Room): void => {
    if (!stage && readers.size === 0) rooms.delete(turnId);
  };
  return {
    begin(turnId, events) {
      const room = roomOf(turnId);
      room.stage = { events: [...events] };
      for (const reader of room.readers) reader.stage = room.stage;
      wakeAll(room);
    },
    publish(turnId, events) {
      const room = rooms.get(turnId);
      if (!room?.stage) return;
      room.stage.events = [...room.stage.events, ...events].slice(-KEPT);
      wakeAll(room);
    },
    end(turnId) {
      const room = rooms.get(turnId);
      if (!room) return;
      room.stage = undefined;
      // A reader keeps the stage that it has: its last events may be still to be taken.
      wakeAll(room);
      tidy(turnId, room);
    },
    hint(turnId) {
      for (const room of turnId === undefined ? rooms.values() : [rooms.get(turnId)])
        if (room && !room.stage) wakeAll(room);
    },
    open(turnId) {
      const room = roomOf(turnId);
      const reader: Reader = { stage: room.stage, woken: false, wake: () => undefined };
      room.readers.add(reader);
      return {
        ...place(reader, room, () => seek(turnId)),
        close() {
          room.readers.delete(reader);
          tidy(turnId, room);
        },
      };
    },
    get elsewhere() {
      return [...rooms].filter(([, { stage }]) => !stage).map(([turnId]) => turnId);
    },
  };
}

function wakeAll({ readers }: Room): void {
  for (const reader of readers) {
    reader.woken = true;
    reader.wake();
  }
}

function place(reader: Reader, room: Room, seek: () => void): Omit<Place, 'close'> {
  let sought = false;
  return {
    after(last) {
      reader.woken = false;
      const events = reader.stage?.events ?? [];
      const known = (events[0]?.id ?? Number.POSITIVE_INFINITY) <= last + 1;
      const next = known ? events.filter(({ id }) => id > last) : undefined;
      if (next?.length === 0 && room.stage !== reader.stage) reader.stage = room.stage;
      return next?.length === 0 && !reader.stage ? undefined : next;
    },
    async news(signal) {
      if (reader.woken || signal.aborted) return;
      if (!room.stage && !sought) {
        sought = true;
        seek();
      }
      await new Promise<void>((resolve) => {
        const end = (): void => {
          signal.removeEventListener('abort', end);
          reader.wake = () => undefined;
          resolve();
        };
        signal.addEventListener('abort', end);
        reader.wake = end;
      });
    },
  };
}
