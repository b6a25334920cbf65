import type { Server, ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { refusals } from './answer.ts';
import type { Answer } from './answer.ts';

/** Bounds of a listener, in milliseconds but for the first. */
export interface Limits {
  /** Connections open at once; a further one is closed unheard. */
  readonly connections: number;
  /** For a request's head to arrive. */
  readonly headMs: number;
  /** For a whole request to arrive. */
  readonly requestMs: number;
  /** For which an idle connection is kept; above the 60 s of usual load balancers, so that they close first. */
  readonly idleMs: number;
  /** For which a client may take nothing of an answer that waits for it. How long an answer takes to make is not bound. */
  readonly stallMs: number;
}

export const usualLimits: Limits = {
  connections: 1024,
  headMs: 10_000,
  requestMs: 60_000,
  idleMs: 65_000,
  stallMs: 60_000,
};

/** The bounds that a server is made with. */
export function serverOptions(limits: Limits): ServerOptions {
  return {
    headersTimeout: limits.headMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.idleMs,
    connectionsCheckingInterval: Math.min(1000, limits.headMs),
  };
}

/** The bounds that are set on a server; `inUse` says whether a connection's request still has no whole answer. */
export function bound(server: Server, limits: Limits, inUse: (socket: Duplex) => boolean): void {
  server.maxConnections = limits.connections;
  server.setTimeout(limits.stallMs, (socket) => {
    if (!inUse(socket) || socket.writableLength > 0) socket.destroy();
  });
}

/** The answer to what node's parser refuses. */
export function faultOf(error: Error & { code?: string }): Answer {
  if (error.code === 'HPE_HEADER_OVERFLOW') return refusals.headers;
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusals.slow;
  return refusals.malformed;
}
