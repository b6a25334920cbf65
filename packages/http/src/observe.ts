import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from 'pino';
import { clientReader, nobody } from './client.ts';
import type { EdgeEnv } from './edge.ts';
import type { EdgeMetrics } from './metrics.ts';

/**
 * Gives every request an id and a log that carries it, sets the constant headers, and writes one line and one measure when
 * the answer has ended, be it whole or cut. The line names the route's pattern: paths and queries may hold what people keep
 * to themselves.
 */
export function observe(
  log: Logger,
  metrics: EdgeMetrics,
  trustedProxies: readonly string[],
): MiddlewareHandler<EdgeEnv> {
  const readClient = clientReader(trustedProxies);
  return async (c, next) => {
    const { incoming, outgoing } = c.env ?? {};
    const requestId = randomUUID();
    c.set('requestId', requestId);
    c.set('log', log.child({ requestId }));
    c.set('client', incoming === undefined ? nobody : readClient(incoming));
    for (const name in headers) outgoing?.setHeader(name, headers[name] ?? '');
    outgoing?.setHeader('x-request-id', requestId);
    const end = begin(c, metrics);
    let whole = false;
    // Node says so too when the connection was cut under what was still to be written.
    outgoing?.prependOnceListener('finish', () => (whole = !outgoing.req.socket.destroyed));
    outgoing?.once('close', () => end(outgoing.headersSent ? outgoing.statusCode : UNANSWERED, whole));
    await next().catch(asError);
    if (outgoing === undefined) end(c.res.status, true);
  };
}

/** The client went before there was a head: nginx's status for that, where node's response would still say 200. */
const UNANSWERED = 499;

/**
 * On every answer; an answer's own header of the same name wins, as `pages()` does for HTML. They are set on the node
 * response, which costs a third of setting them on a `Response` (4 µs against 11).
 */
const headers: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Begins a measure; the function that it returns ends it. It may be long before it does, and keeps nothing else of the request. */
function begin(c: Context<EdgeEnv>, metrics: EdgeMetrics): (status: number, whole: boolean) => void {
  const began = performance.now();
  const { method } = c.req;
  const route = routeOf(c);
  const log = c.get('log');
  metrics.began();
  return (status, whole) => {
    const seconds = Math.round((performance.now() - began) * 100) / 100_000;
    const request = { method, route, status, seconds };
    metrics.ended(request);
    const level = quiet.has(route) ? 'debug' : 'info';
    log[level](whole ? request : { ...request, cut: true }, 'request');
  };
}

/** Machines ask these every few seconds. */
const quiet = new Set(['/health', '/ready', '/metrics']);

/** The pattern of the most specific route that matched: middleware stands on `*` patterns. */
function routeOf(c: Context): string {
  return matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'))?.path ?? '*';
}

/** Hono hands errors to the error handler and lets other thrown values through to here. */
function asError(thrown: unknown): never {
  throw new Error('A value that is no error was thrown', { cause: thrown });
}
