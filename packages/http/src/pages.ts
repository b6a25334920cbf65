import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';

export interface PageOptions {
  /** Origins that the page's scripts may connect to beside its own. */
  readonly connect?: readonly string[];
}

/** For routes that answer HTML: a content security policy without inline script, and the headers that browsers heed. */
export function pages({ connect = [] }: PageOptions = {}): MiddlewareHandler {
  return secureHeaders({
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      connectSrc: ["'self'", ...connect],
      imgSrc: ["'self'", 'data:'],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      frameAncestors: ["'none'"],
      formAction: ["'self'"],
    },
    xFrameOptions: 'DENY',
    strictTransportSecurity: false,
  });
}
