import type { MiddlewareHandler } from 'hono';
import type { EdgeEnv } from './edge.ts';
import { HttpProblem } from './problem.ts';

/** Answers 421 to a Host that is none of these. Health questions pass: those who ask know an address, not a name. */
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
