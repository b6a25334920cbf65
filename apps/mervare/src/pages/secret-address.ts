import type { MiddlewareHandler } from 'hono';

/** For pages whose address alone lets its holder do something: it is in no cache, no index, and no other site’s log. */
export const secretAddress: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('cache-control', 'no-store');
  c.header('referrer-policy', 'no-referrer');
  c.header('x-robots-tag', 'noindex, nofollow');
};
