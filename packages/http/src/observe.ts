import { randomUUID } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { Logger } from 'pino';
import { clientReader, nobody } from './client.ts';
import type { EdgeEnv } from './edge.ts';
import type { EdgeMetrics } from './metrics.ts';

/**
 * Gives every request an id and a log that carries it, and writes one line and one measure when its answer has ended, be it
 * whole or cut. The line names the route's pattern: paths and queries may hold what people keep to themselves.
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
    const began = performance.now();
    metrics.began();
    const end = (status: number, whole: boolean) => {
      const seconds = Math.round((performance.now() - began) * 100) / 100_000;
      const request = { method: c.req.method, route: routeOf(c), status, seconds };
      metrics.ended(request);
      const level = quiet.has(request.route) ? 'debug' : 'info';
      c.get('log')[level](whole ? request : { ...request, cut: true }, 'request');
    };
    outgoing?.once('close', () => end(outgoing.statusCode, outgoing.writableFinished));
    await next();
    if (outgoing === undefined) end(c.res.status, true);
  };
}

/** Machines ask these every few seconds. */
const quiet = new Set(['/health', '/ready', '/metrics']);

/** The pattern of the most specific route that matched: middleware stands on `*` patterns. */
function routeOf(c: Context): string {
  return matchedRoutes(c).findLast(({ path }) => !path.endsWith('*'))?.path ?? '*';
}
