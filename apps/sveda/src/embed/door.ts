import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import type { Context } from 'hono';
import { HttpProblem, type EdgeEnv } from '@portolan/http';
import { HEADERS } from '@sveda-ai/protocol';

/** Who may mint: holders of the host key; without one configured, only this machine speaking to itself. */
export interface Door {
  readonly hostKey: string | undefined;
  /** The address that the server listens on. */
  readonly boundTo: string;
}

/** Lets a mint or a revocation in, or throws the refusal. */
export function admitHost(c: Context<EdgeEnv>, { hostKey, boundTo }: Door): void {
  if (hostKey !== undefined) {
    if (!holdsHostKey(c, hostKey))
      throw new HttpProblem(401, 'unauthorized', `The ${HEADERS.hostKey} header does not hold the host key.`);
    return;
  }
  const { host } = c.get('client');
  const isFromAfar = Object.keys(c.req.header()).some((name) => AFAR.test(name));
  if (!isLoopback(boundTo) || !isLoopback(host) || isFromAfar) {
    const message =
      'Without a host key only programs on this machine may mint. Set SVEDA_EMBED_HOST_API_KEY.';
    throw new HttpProblem(401, 'unauthorized', message);
  }
}

/** Headers of requests that a page or a proxy sends. */
const AFAR = /^(?:origin|forwarded|via|x-real-ip|x-forwarded-.+)$/;

/** True for a request that carries the host key. */
export function holdsHostKey(c: Context<EdgeEnv>, hostKey: string): boolean {
  return sameSecret(c.req.header(HEADERS.hostKey) ?? '', hostKey);
}

/** Compares in a time that tells nothing, of secrets of any length. */
export function sameSecret(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}

/** True for a loopback address or `localhost`, with or without a port. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  if (name === 'localhost' || name === '::1') return true;
  return isIP(name) === 4 && name.startsWith('127.');
}
