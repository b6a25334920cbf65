import type { MiddlewareHandler } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import type { EdgeEnv } from './edge.ts';

export interface PageOptions {
  /** Origins that the page's scripts may connect to beside its own. */
  readonly connect?: readonly string[];
  /** Origins or schemes that the page's forms may lead to beside its own, also by redirects. */
  readonly forms?: readonly string[];
}

/**
 * For routes that answer HTML, in place of the API's constant headers: a content security policy without inline script or
 * style, no framing, no word of its address to other sites, and strict transport where the client came by HTTPS.
 */
export function pages({ connect = [], forms = [] }: PageOptions = {}): MiddlewareHandler<EdgeEnv> {
  const over = (strictTransportSecurity: boolean) =>
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'self'"],
        connectSrc: ["'self'", ...connect],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'", ...forms],
        frameAncestors: ["'none'"],
      },
      xFrameOptions: 'DENY',
      // Browsers send `Origin: null` with the forms of a page that names no referrer even to its own site.
      referrerPolicy: 'same-origin',
      strictTransportSecurity,
    });
  const byScheme = { http: over(false), https: over(true) };
  return async (c, next) => {
    c.header('cache-control', 'private, no-cache');
    return byScheme[c.get('client').scheme](c, next);
  };
}
