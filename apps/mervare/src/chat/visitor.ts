import { createHmac, randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';
import type { EdgeEnv } from '@portolan/http';

const NAME = 'mervare_visitor';
const A_YEAR = 31_536_000;

/** The visitor of this browser: an opaque id in a signed cookie that scripts cannot read. A new one when there is none. */
export async function visitorOf(c: Context<EdgeEnv>, secret: string): Promise<string> {
  const known = await getSignedCookie(c, secret, NAME);
  const visitor = typeof known === 'string' ? known : `web-${randomBytes(18).toString('base64url')}`;
  await setSignedCookie(c, NAME, visitor, secret, {
    httpOnly: true,
    sameSite: 'Lax',
    secure: c.get('client').scheme === 'https',
    path: '/',
    maxAge: A_YEAR,
  });
  return visitor;
}

/** The visitor that somebody is who has signed in: the same in every browser, and nobody else's after signing out. */
export function memberId(person: string, secret: string): string {
  return `member-${createHmac('sha256', secret).update(`chat of ${person}`).digest('base64url')}`;
}
