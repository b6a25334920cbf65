import type { Containment } from '@portolan/process';
import { newEnd, phaseAfter, type Channel } from '../channel.ts';
import { connectOver } from '../connect.ts';
import type { Connection } from '../connection.ts';
import { ConnectionFailure, type Phase } from '../errors.ts';
import { exchange } from '../exchange.ts';
import type { Answer } from '../pending.ts';
import type { Request } from '../requests.ts';

/** What moves a puppet. */
export interface Puppeteer {
  /** One exchange at a time, as over stdio. */
  readonly exclusive: boolean;
  readonly pid?: number;
  /** Starts its process. A rejection fails the start. */
  spawn(): Promise<void>;
  /** Answers a request at the time when it is dispatched. It need not answer: an end of the connection is seen. */
  answer(request: Pick<Request, 'method' | 'params'>): Promise<Answer>;
  /** Ends its process, and says what is left. */
  end(): Promise<Containment>;
}

/** A puppet's connection, and how it dies by itself. */
export interface Strings {
  readonly opening: Promise<Connection>;
  /** Its process ends, or its session is lost. */
  die(failure: ConnectionFailure): void;
}

/** Opens a connection to a puppet. */
export function openPuppet(
  puppeteer: Puppeteer,
  options: { readonly budget: number; readonly signal?: AbortSignal },
): Strings {
  const channel = channelTo(puppeteer);
  const opening = connectOver(
    async () => {
      await puppeteer.spawn();
      return channel;
    },
    async (_, deadline) => {
      const ask = (request: Request) => channel.ask(request);
      const session = {
        revision: '2025-11-25',
        serverInfo: undefined,
        instructions: undefined,
        hasTools: true,
        ask,
      };
      await exchange(channel, session, deadline, { method: 'initialize', params: {} });
      return session;
    },
    options,
  );
  return { opening, die: (failure) => void channel.end(failure, 0) };
}

function channelTo(puppeteer: Puppeteer): Channel & { ask(request: Request): Promise<Answer> } {
  let phase: Phase = 'spawn';
  let hangUp: (failure: ConnectionFailure) => void;
  const hungUp = new Promise<never>((_, reject) => {
    hangUp = reject;
  });
  hungUp.catch(() => undefined);
  const end = newEnd(async () => {
    const containment = await puppeteer.end();
    hangUp(new ConnectionFailure('closed'));
    return containment;
  });
  return {
    pid: puppeteer.pid,
    exclusive: puppeteer.exclusive,
    get phase() {
      return phase;
    },
    get failure() {
      return end.failure;
    },
    ending: end.ending,
    ended: end.ended,
    end: end.end,
    attach() {
      throw new Error('A puppet has no wire.');
    },
    started: () => undefined,
    stderr: undefined,
    async ask(request) {
      if (end.failure) throw end.failure;
      phase = phaseAfter(phase, request);
      return Promise.race([puppeteer.answer(request), hungUp, aborted(request.signal)]);
    },
  };
}

/** Rejects once a request is given up. */
function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(new ConnectionFailure('cancelled')), { once: true });
  });
}
