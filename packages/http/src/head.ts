import type { MiddlewareHandler } from 'hono';
import type { EdgeEnv } from './edge.ts';
import { HttpProblem } from './problem.ts';

/** Headers of every answer; an answer's own header of the same name wins, as `pages()` does for HTML. */
const constant: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** Sets the constant headers and the request id on the node response, which costs a tenth of doing it on a `Response`. */
export function apiHeaders(): MiddlewareHandler<EdgeEnv> {
  return async (c, next) => {
    const { outgoing } = c.env ?? {};
    for (const name in constant) outgoing?.setHeader(name, constant[name] ?? '');
    outgoing?.setHeader('x-request-id', c.get('requestId'));
    await next();
  };
}

/**
 * Answers 421 to a Host that is none of these. Health questions pass under any name: those who ask know the address only.
 */
export function knownHosts(hosts: readonly string[]): MiddlewareHandler<EdgeEnv> {
  const known = new Set(hosts.map((host) => host.toLowerCase()));
  return async (c, next) => {
    const { host } = c.get('client');
    if (!known.has(host) && !known.has(host.replace(/:\d+$/, '')) && !probes.has(c.req.path))
      throw new HttpProblem(421, 'misdirected', 'This server does not answer under that host name.');
    await next();
  };
}

const probes = new Set(['/health', '/ready']);
