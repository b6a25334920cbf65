import { once } from 'node:events';
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

export function flights(): Flights {
  const inAir = new Map<Promise<unknown>, ServerResponse>();
  const sockets = new Map<Duplex, number>();
  const count = (socket: Duplex, change: number) => {
    const now = (sockets.get(socket) ?? 0) + change;
    if (now === 0) sockets.delete(socket);
    else sockets.set(socket, now);
  };
  return {
    add(outgoing, work) {
      const { socket } = outgoing.req;
      count(socket, 1);
      const ended = once(outgoing, 'close').finally(() => count(socket, -1));
      const flight = Promise.allSettled([ended, work]).finally(() => inAir.delete(flight));
      inAir.set(flight, outgoing);
    },
    uses: (socket) => sockets.has(socket),
    async land(ms) {
      for (const outgoing of inAir.values())
        if (!outgoing.headersSent) outgoing.setHeader('connection', 'close');
      const over = new AbortController();
      const late = delay(ms, undefined, { signal: over.signal }).catch(() => undefined);
      await Promise.race([late, Promise.all(inAir.keys())]);
      over.abort();
      return inAir.size;
    },
  };
}
