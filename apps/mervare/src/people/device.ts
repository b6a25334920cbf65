import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EdgeEnv } from '@portolan/http';
import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { hashOf } from './secret.ts';

const NAME = 'mervare_device';
const LASTS_SECONDS = 180 * 86_400;

/**
 * The number of this browser, where the account of this address has signed in with it before. It opens nothing: only tries are
 * counted by it, apart from those of everybody who merely knows the address.
 */
export function knownDevice(c: Context<EdgeEnv>, key: Buffer, account: string): string | undefined {
  const [number = '', proof = ''] = (getCookie(c, NAME) ?? '').split('.');
  return timingSafeEqual(hashOf(proof), hashOf(proofOf(key, number, account))) ? number : undefined;
}

/** Gives the browser in which this account has just signed in a new number, by a cookie that only the sign-in page is sent. */
export function rememberDevice(c: Context<EdgeEnv>, key: Buffer, account: string): void {
  const number = randomBytes(16).toString('base64url');
  setCookie(c, NAME, `${number}.${proofOf(key, number, account)}`, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: c.get('client').scheme === 'https',
    path: '/login',
    maxAge: LASTS_SECONDS,
  });
}

/** The address stands in the proof alone, so that the cookie tells nobody whose browser it is. */
function proofOf(key: Buffer, number: string, account: string): string {
  return createHmac('sha256', key).update(`${number} ${account}`).digest('base64url');
}
