import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** The requests in flight. */
export interface Flights {
  /** One more: it lasts until its answer has ended and its work, which may outlive the client, is done. */
  add(outgoing: ServerResponse, work: Promise<unknown> | undefined): void;
  /** Says whether a request on this connection has no whole answer yet. */
  uses(socket: Duplex): boolean;
  /** Waits until all have landed, at most `ms`; resolves with the number still in the air. */
  land(ms: number): Promise<number>;
}

interface Flight {
  readonly outgoing: ServerResponse;
  /** Of its two ends, the answer's and the work's, those to come. */
  open: number;
}

export function flights(): Flights {
  const inAir = new Set<Flight>();
  const sockets = new Map<Duplex, number>();
  let whenEmpty = () => {};

  const count = (socket: Duplex, change: number) => {
    const now = (sockets.get(socket) ?? 0) + change;
    if (now === 0) sockets.delete(socket);
    else sockets.set(socket, now);
  };
  const ended = (flight: Flight) => {
    flight.open -= 1;
    if (flight.open > 0) return;
    inAir.delete(flight);
    if (inAir.size === 0) whenEmpty();
  };

  return {
    add(outgoing, work) {
      const { socket } = outgoing.req;
      const flight: Flight = { outgoing, open: work === undefined ? 1 : 2 };
      inAir.add(flight);
      count(socket, 1);
      outgoing.once('close', () => {
        count(socket, -1);
        ended(flight);
      });
      void work?.finally(() => ended(flight));
    },
    uses: (socket) => sockets.has(socket),
    async land(ms) {
      for (const { outgoing } of inAir) if (!outgoing.headersSent) outgoing.setHeader('connection', 'close');
      if (inAir.size === 0) return 0;
      const over = new AbortController();
      const empty = new Promise<void>((resolve) => (whenEmpty = resolve));
      await Promise.race([empty, delay(ms, undefined, { signal: over.signal }).catch(() => undefined)]);
      over.abort();
      return inAir.size;
    },
  };
}
