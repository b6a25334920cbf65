import { setTimeout as pause } from 'node:timers/promises';
import { Counter, withDeadline, type Logger, type Registry } from '@portolan/http';
import { LeaseLost, type Store } from '@portolan/store';
import type { Kysely } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { nodeName, startLoop, type Loop } from '../work/loop.ts';
import { writeLetter, type Letterhead } from './compose.ts';
import { keepBeating } from './heartbeat.ts';
import { beginDelivery, keepDelivery, settleDelivery, type Begun } from './lease.ts';
import { queueOf } from './outbox.ts';
import { LANES, type Lane, type LetterState } from './tables.ts';
import type { Outcome, Transport } from './transport.ts';

/** What sends the letters of the site on one node. Any number of nodes may. */
export interface MailWorkerOptions {
  readonly db: Kysely<SiteTables>;
  readonly listen: Store<SiteTables>['listen'];
  readonly letterhead: Letterhead;
  readonly transport: Transport;
  readonly metrics: Registry;
  readonly log: Logger;
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Between two looks at the outbox without a hint. Milliseconds. */
  readonly pollMs?: number;
  /** Between two words of a node that it has a letter. Milliseconds. */
  readonly beatMs?: number;
}

/** Deliveries at the same time on one node, by lane. */
const SLOTS = { survey: 3, agents: 1 } as const;
const BEAT_MS = 30_000;
/** The longest delivery. Milliseconds. */
const LONGEST_MS = 600_000;

/** Begins to send what waits in the outbox, until the loop that it gives is closed. */
export async function startMailWorker(options: MailWorkerOptions): Promise<Loop> {
  const { listen, log, metrics, pollMs } = options;
  const tries = new Counter({
    name: 'mail_tries_total',
    help: 'Tries to deliver a letter, by what became of it',
    labelNames: ['lane', 'state'],
    registers: [metrics],
  });
  const node = nodeName();
  const start = (lane: Lane) =>
    startLoop({
      queues: [queueOf(lane)],
      slots: SLOTS[lane],
      listen,
      log,
      ...(pollMs !== undefined && { pollMs }),
      next: (signal) =>
        deliverNext({ ...options, lane, node, count: (state) => tries.inc({ lane, state }), signal }),
    });
  const loops: Loop[] = [];
  for (const lane of LANES) loops.push(await start(lane));
  return { close: async (how) => void (await Promise.all(loops.map((loop) => loop.close(how)))) };
}

interface Delivery extends MailWorkerOptions {
  readonly lane: Lane;
  readonly node: string;
  readonly count: (state: LetterState) => void;
  readonly signal: AbortSignal;
}

/** Delivers one due letter, or takes one out of the queue that needs no delivery any more. False when there was none. */
async function deliverNext(delivery: Delivery): Promise<boolean> {
  const { db, lane, node, letterhead, log, now, count } = delivery;
  const begun = await beginDelivery(db, { lane, node, secret: letterhead.secret }, now());
  if (begun === undefined) return false;
  if (begun === 'ended') return true;
  const outcome = await attempt(delivery, begun);
  const state = await settle(delivery, begun, outcome);
  if (state === undefined) return true;
  count(state);
  const facts = { letter: begun.letter.id, lane, attempt: begun.job.attempt };
  if (outcome.is === 'sent') log.info(facts, 'letter sent');
  // What a server says of an addressee is kept with the letter: it may name the person.
  else if (outcome.is === 'deferred' && outcome.ours)
    log.error({ ...facts, reason: outcome.reason }, 'mail server fault');
  else log.warn({ ...facts, state }, 'letter not taken');
  return true;
}

/** One try, for as long as the letter is surely ours. */
async function attempt(
  { db, letterhead, transport, now, beatMs = BEAT_MS, signal }: Delivery,
  begun: Begun,
): Promise<Outcome> {
  const lost = new AbortController();
  const over = withDeadline(AbortSignal.any([signal, lost.signal]), LONGEST_MS);
  const done = new AbortController();
  void keepBeating(() => keepDelivery(db, begun, now()), { beatMs, lost, done: done.signal });
  try {
    return await transport(await writeLetter(letterhead, begun.letter), over);
  } catch (error) {
    if (!over.aborted) throw error;
    return { is: 'deferred', reason: 'The delivery was given up.', ours: false };
  } finally {
    done.abort();
  }
}

/** Tries of writing down an outcome, one a second: while the database is away a letter that was sent must not count as unsent. */
const SETTLE_TRIES = 120;

/** Undefined where the letter has become another node’s. */
async function settle(
  { db, log, now, signal }: Delivery,
  begun: Begun,
  outcome: Outcome,
): Promise<LetterState | undefined> {
  for (let tries = 1; ; tries++)
    try {
      return await settleDelivery(db, begun, outcome, now());
    } catch (error) {
      if (error instanceof LeaseLost) {
        log.warn({ letter: begun.letter.id }, 'the letter is another node’s now');
        return undefined;
      }
      if (tries === SETTLE_TRIES || signal.aborted) throw error;
      await pause(1_000, undefined, { signal }).catch(() => undefined);
    }
}
