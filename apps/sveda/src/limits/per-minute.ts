import type { MiddlewareHandler } from 'hono';
import { throttle, type EdgeEnv, type ThrottleOptions, type ThrottleStore } from '@portolan/http';

/** A budget of requests a minute for each key. A budget that a reload changes holds, full again, from the next request on. */
export function perMinute<E extends EdgeEnv>(
  name: string,
  points: () => number,
  key: ThrottleOptions<E>['key'],
  store: ThrottleStore | undefined,
): MiddlewareHandler<E> {
  let budget: number | undefined;
  let limit: MiddlewareHandler<E> | undefined;
  return (c, next) => {
    const now = points();
    if (limit === undefined || now !== budget) {
      budget = now;
      limit = throttle<E>({ name, points: now, perSeconds: 60, key, ...(store && { store }) });
    }
    return limit(c, next);
  };
}
