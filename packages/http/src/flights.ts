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
  /** Closes what waited behind another answer on a connection that has gone: node tells only the one that it was writing. */
  lost(socket: Duplex): void;
  /** Waits until all have landed, at most `ms`; resolves with the number still in the air. */
  land(ms: number): Promise<number>;
}

export function flights(): Flights {
  /** By answer, how much of the request is still to end: the answer itself, and each work. */
  const inAir = new Map<ServerResponse, number>();
  const bySocket = new Map<Duplex, Set<ServerResponse>>();
  let whenEmpty = () => {};

  const ended = (outgoing: ServerResponse) => {
    const open = (inAir.get(outgoing) ?? 1) - 1;
    if (open > 0) inAir.set(outgoing, open);
    else inAir.delete(outgoing);
    if (inAir.size === 0) whenEmpty();
  };

  return {
    add(outgoing) {
      const { socket } = outgoing.req;
      const answers = bySocket.get(socket) ?? new Set();
      bySocket.set(socket, answers.add(outgoing));
      inAir.set(outgoing, 1);
      outgoing.once('close', () => {
        answers.delete(outgoing);
        if (answers.size === 0) bySocket.delete(socket);
        ended(outgoing);
      });
    },
    goesOn: (outgoing, work) => {
      inAir.set(outgoing, (inAir.get(outgoing) ?? 0) + 1);
      void work.finally(() => ended(outgoing));
    },
    uses: (socket) => bySocket.has(socket),
    lost(socket) {
      for (const outgoing of bySocket.get(socket) ?? []) {
        if (outgoing.socket !== null || outgoing.writableFinished) continue;
        outgoing.destroy();
        outgoing.emit('close');
      }
    },
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
