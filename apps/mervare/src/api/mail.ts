import { HttpProblem, type EdgeEnv } from '@portolan/http';
import { Hono, type MiddlewareHandler } from 'hono';
import type { Kysely } from 'kysely';
import { takeMessage } from '../mail/inbound.ts';
import { problemOf } from '../problem.ts';
import type { SiteSecret } from '../secret/site-secret.ts';
import type { SiteTables } from '../tables.ts';
import { ownToken } from './own-token.ts';

/** Where a mail server hands in what came back. */
export const INBOUND = '/api/mail/inbound';

/** Bytes of one message, with whatever is attached. */
export const MESSAGE_LIMIT = 10 * 1024 * 1024;

/** Messages that are read at the same time: each may fill the memory several times over. */
const AT_ONCE = 4;

/** Lets nobody without the token come so far that a byte of a body is read. */
export function inboundDoor(token: string | undefined): MiddlewareHandler<EdgeEnv> {
  const check =
    token === undefined ? undefined : ownToken(token, 'Send the inbound mail token as a bearer token.');
  return async (c, next) => {
    if (c.req.path === INBOUND) check?.(c.req.raw);
    await next();
  };
}

interface InboundOptions {
  readonly db: Kysely<SiteTables>;
  readonly secret: SiteSecret;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** `POST /api/mail/inbound`: takes one raw message (message/rfc822) and keeps it with the letter that it answers. Stands behind `inboundDoor`. */
export function inboundRoutes({ db, secret, now }: InboundOptions): Hono<EdgeEnv> {
  let reading = 0;
  return new Hono<EdgeEnv>().post(INBOUND, async (c) => {
    if (!/^message\/rfc822\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
      throw new HttpProblem(
        415,
        'unsupported_media_type',
        'Send a raw message with content-type message/rfc822.',
      );
    if (reading === AT_ONCE)
      throw new HttpProblem(429, 'too_many', 'Other messages are being read; try again.', {
        'retry-after': '1',
      });
    reading += 1;
    try {
      const raw = Buffer.from(await c.req.arrayBuffer());
      return c.json(await takeMessage(db, { secret, raw }, now()));
    } catch (error) {
      throw problemOf(error);
    } finally {
      reading -= 1;
    }
  });
}
