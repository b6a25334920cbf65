import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';

/** The requests in flight. */
export interface Flights {
  /** One more: it lasts until its answer has ended and all its work is done. */
  add(outgoing: ServerResponse): void;
  /** Work of a request in flight, which may outlive the client. */
  readonly goesOn: (outgoing: ServerResponse, work: Promise<unknown>) => void;
  /** Says whether a request on this connection has no whole answer yet. */
  uses(socket: Duplex): boolean;
  /** Waits until all have landed, at most `ms`; resolves with the number still in the air. */
  land(ms: number): Promise<number>;
}

export function flights(): Flights {
  /** By answer, how much of the request is still to end: the answer itself, and each work. */
  const inAir = new Map<ServerResponse, number>();
  const sockets = new Map<Duplex, number>();
  let whenEmpty = () => {};

  const count = (socket: Duplex, change: number) => {
    const now = (sockets.get(socket) ?? 0) + change;
    if (now === 0) sockets.delete(socket);
    else sockets.set(socket, now);
  };
  const ended = (outgoing: ServerResponse) => {
    const open = (inAir.get(outgoing) ?? 1) - 1;
    if (open > 0) inAir.set(outgoing, open);
    else inAir.delete(outgoing);
    if (inAir.size === 0) whenEmpty();
  };

  return {
    add(outgoing) {
      const { socket } = outgoing.req;
      inAir.set(outgoing, 1);
      count(socket, 1);
      outgoing.once('close', () => {
        count(socket, -1);
        ended(outgoing);
      });
    },
    goesOn: (outgoing, work) => {
      inAir.set(outgoing, (inAir.get(outgoing) ?? 0) + 1);
      void work.finally(() => ended(outgoing));
    },
    uses: (socket) => sockets.has(socket),
    async land(ms) {
      for (const outgoing of inAir.keys())
        if (!outgoing.headersSent) outgoing.setHeader('connection', 'close');
      if (inAir.size === 0) return 0;
      const over = new AbortController();
      const empty = new Promise<void>((resolve) => (whenEmpty = resolve));
      await Promise.race([empty, delay(ms, undefined, { signal: over.signal }).catch(() => undefined)]);
      over.abort();
      return inAir.size;
    },
  };
}
