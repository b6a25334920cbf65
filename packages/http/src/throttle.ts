import type { Context, MiddlewareHandler } from 'hono';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpProblem } from './problem.ts';

export interface ThrottleOptions {
  /** Distinguishes this throttle from others in the same store. */
  readonly name: string;
  /** Requests that one key may make … */
  readonly points: number;
  /** … within this time. */
  readonly perSeconds: number;
  /** Whose budget a request uses; undefined leaves the request unthrottled. */
  readonly key: (c: Context) => string | undefined;
}

/** Refuses a request above its key's budget with 429 and Retry-After. */
export function throttle({ name, points, perSeconds, key }: ThrottleOptions): MiddlewareHandler {
  const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration: perSeconds });
  return async (c, next) => {
    const owner = key(c);
    if (owner !== undefined) await limiter.consume(owner).catch(refuse);
    return next();
  };
}

function refuse(reason: unknown): never {
  if (!(reason instanceof RateLimiterRes)) throw reason;
  const seconds = Math.ceil(reason.msBeforeNext / 1000);
  throw new HttpProblem(429, 'too_many', `Too many requests; try again in ${seconds} s.`, {
    'retry-after': String(seconds),
  });
}
