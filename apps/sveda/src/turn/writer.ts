import type { Kysely } from 'kysely';
import type { TurnEvent } from '@portolan/agent';
import type { SvedaEvent } from '@sveda-ai/protocol';
import type { Tables } from '../tables.ts';
import type { Hub } from './hub.ts';
import { commit, finish, type Held, type SegmentEnd } from './store.ts';
import { numbered, type Draft } from './translate.ts';

/** Writes what happens, and only then lets readers have it. */
export interface Writer {
  /** Takes an event of the loop and what visitors see of it. */
  push(event: TurnEvent, drafts: readonly Draft[]): void;
  /** Resolves when everything pushed is committed. Rejects with LeaseLost when another node has the turn. */
  settle(): Promise<void>;
  /** Commits what is left and the last events together with the end of the segment: whoever sees them finds it ended. */
  end(drafts: readonly Draft[], how: SegmentEnd): Promise<void>;
}

/** Events within this many milliseconds are committed together. The first after a pause goes at once. */
const GROUP_MS = 20;

export function openWriter(db: Kysely<Tables>, hub: Hub, held: Held, now: () => Date): Writer {
  let lastEvent = held.lastEvent;
  let position = 0;
  let batch: Batch = { log: [], drafts: [] };
  let writing: Promise<void> | undefined;
  let failed: unknown;
  let wrote = 0;

  function take(): { log: readonly TurnEvent[]; events: SvedaEvent[] } {
    const { log, drafts } = batch;
    batch = { log: [], drafts: [] };
    const events = numbered(drafts, { ...held, lastEvent, at: now() });
    lastEvent += events.length;
    return { log, events };
  }

  async function write(): Promise<void> {
    while (batch.log.length > 0) {
      const pause = wrote + GROUP_MS - now().getTime();
      if (pause > 0 && !urgent) await new Promise((resolve) => setTimeout(resolve, pause));
      wrote = now().getTime();
      const { log, events } = take();
      await commit(db, held, { log, events, position, lastEvent });
      position += log.length;
      hub.publish(held.turnId, events);
    }
  }

  let urgent = false;
  function start(): Promise<void> {
    writing ??= write()
      .catch((error: unknown) => {
        failed = error;
      })
      .finally(() => {
        writing = undefined;
      });
    return writing;
  }

  return {
    push(event, drafts) {
      add(batch, event, drafts);
      // What nobody sees waits for what somebody does: alone it would only delay the first words by a group's time.
      if (drafts.length > 0) void start();
    },
    async settle() {
      urgent = true;
      while (failed === undefined && (writing !== undefined || batch.log.length > 0)) await start();
      urgent = false;
      if (failed !== undefined) throw failed;
    },
    async end(drafts, how) {
      await writing;
      if (failed !== undefined) throw failed;
      batch.drafts.push(...drafts);
      const { events } = take();
      await finish(db, held, { events, lastEvent }, how);
      hub.publish(held.turnId, events);
    },
  };
}

interface Batch {
  log: TurnEvent[];
  drafts: Draft[];
}

/** Adjacent pieces of one text become one: nobody saw them apart. */
function add(batch: Batch, event: TurnEvent, drafts: readonly Draft[]): void {
  const before = batch.log.at(-1);
  const shown = batch.drafts.at(-1);
  const [draft] = drafts;
  if (
    event.type === 'text' &&
    before?.type === 'text' &&
    shown?.type === 'text.delta' &&
    draft?.type === 'text.delta'
  ) {
    batch.log[batch.log.length - 1] = { ...event, delta: before.delta + event.delta };
    batch.drafts[batch.drafts.length - 1] = { ...draft, delta: shown.delta + draft.delta };
    return;
  }
  batch.log.push(event);
  batch.drafts.push(...drafts);
}
