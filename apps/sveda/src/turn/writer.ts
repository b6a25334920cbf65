import type { TurnEvent } from '@portolan/agent';
import type { Batch, SegmentEnd } from './commit.ts';
import type { Committer, Source } from './committer.ts';
import type { Hub } from './hub.ts';
import type { Held } from './store.ts';
import { numbered, type Draft } from './translate.ts';

/** Writes what happens, and only then lets readers have it. Every method throws once the turn could not be written. */
export interface Writer {
  /** Takes an event of the loop and what visitors see of it. */
  push(event: TurnEvent, drafts: readonly Draft[]): void;
  /** Resolves when everything pushed is committed. Rejects with LeaseLost when another node has the turn. */
  settle(): Promise<void>;
  /** Commits what is left and the last events together with the end of the segment: whoever sees them finds it ended. */
  end(drafts: readonly Draft[], how: SegmentEnd): Promise<void>;
}

/** What a writer needs of its node. */
export interface WriterPorts {
  readonly committer: Committer;
  readonly hub: Pick<Hub, 'publish'>;
  /** True while readers on other nodes follow the turn. */
  readonly followedElsewhere: (turnId: string) => boolean;
  readonly now: () => Date;
}

/** Milliseconds of silence after which an event goes at once: a reader who waits sees the difference, one who reads does not. */
const PAUSE_MS = 100;

/** `broken` is told once when the turn could not be written: a model or a tool that is silent just then need not be waited for. */
export function openWriter(
  { committer, hub, followedElsewhere, now }: WriterPorts,
  held: Held,
  broken: (error: unknown) => void,
): Writer {
  const { turnId, chatId, fence } = held;
  let { lastEvent } = held;
  let position = 0;
  let waiting: Waiting = { log: [], drafts: [], end: undefined };
  let underWay = false;
  let failed: unknown;
  let shownAt = Number.NEGATIVE_INFINITY;
  let settled: (() => void)[] = [];

  const isIdle = (): boolean => !underWay && waiting.log.length === 0 && waiting.drafts.length === 0;
  const release = (): void => {
    for (const resolve of settled) resolve();
    settled = [];
  };
  const demandWritable = (): void => {
    if (failed !== undefined) throw failed;
  };

  const source: Source = {
    take() {
      if (underWay || failed !== undefined || isIdle()) return undefined;
      const { log, drafts, end } = waiting;
      waiting = { log: [], drafts: [], end: undefined };
      underWay = true;
      const events = numbered(drafts, { chatId, turnId, lastEvent, at: now() });
      lastEvent += events.length;
      const batch = { turnId, fence, log, position, events, lastEvent, tell: followedElsewhere(turnId), end };
      position += log.length;
      return batch;
    },
    wrote({ events }: Batch) {
      underWay = false;
      hub.publish(turnId, events);
      if (isIdle()) release();
      else committer.ask(source, settled.length > 0 ? 'now' : 'soon');
    },
    failed(error) {
      underWay = false;
      failed = error;
      release();
      broken(error);
    },
  };

  async function written(): Promise<void> {
    demandWritable();
    if (isIdle()) return;
    committer.ask(source, 'now');
    await new Promise<void>((resolve) => settled.push(resolve));
    demandWritable();
  }

  return {
    push(event, drafts) {
      demandWritable();
      add(waiting, event, drafts);
      // What nobody sees waits for what somebody does.
      if (drafts.length === 0) return;
      const at = now().getTime();
      committer.ask(source, at - shownAt >= PAUSE_MS ? 'now' : 'soon');
      shownAt = at;
    },
    settle: written,
    async end(drafts, how) {
      demandWritable();
      // The log is not needed any more: the end has all entries.
      waiting = { log: [], drafts: [...waiting.drafts, ...drafts], end: how };
      await written();
    },
  };
}

interface Waiting {
  log: TurnEvent[];
  drafts: Draft[];
  end: SegmentEnd | undefined;
}

/** Adjacent pieces of one text become one: nobody saw them apart. */
function add(waiting: Waiting, event: TurnEvent, drafts: readonly Draft[]): void {
  const before = waiting.log.at(-1);
  const shown = waiting.drafts.at(-1);
  const [draft] = drafts;
  if (
    event.type === 'text' &&
    before?.type === 'text' &&
    shown?.type === 'text.delta' &&
    draft?.type === 'text.delta'
  ) {
    waiting.log[waiting.log.length - 1] = { ...event, delta: before.delta + event.delta };
    waiting.drafts[waiting.drafts.length - 1] = { ...draft, delta: shown.delta + draft.delta };
    return;
  }
  waiting.log.push(event);
  waiting.drafts.push(...drafts);
}
