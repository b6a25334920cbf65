import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { createSvedaHost, SvedaHostError } from '@sveda-ai/host';
import { byAddress, HttpProblem, throttle, type EdgeEnv } from '@portolan/http';
import { visitorOf } from './visitor.ts';

/** The Sveda server behind the chat on the site's pages. */
export interface ChatOptions {
  /** Origin of the Sveda server, as browsers reach it. */
  readonly sveda: string;
  readonly hostKey: string;
  /** The site's own origin. */
  readonly origin: string;
  /** Signs the visitor's cookie. */
  readonly cookieSecret: string;
}

/** Seconds that a visitor's token lives; the element renews it. */
const TTL = 3_600;

/**
 * `POST /sveda/session`: a token for this browser's visitor, whose agent reads what anonymous callers may read. The pages of
 * other sites get none.
 */
export function chatRoutes({ sveda, hostKey, origin, cookieSecret }: ChatOptions): Hono<EdgeEnv> {
  const host = createSvedaHost({ origin: sveda, hostKey });
  const limit = throttle({ name: 'session', points: 30, perSeconds: 60, key: byAddress });
  return new Hono<EdgeEnv>().post('/sveda/session', limit, async (c) => {
    if (!isOwnPage(c.req.header('origin'), c.get('client').host, origin))
      throw new HttpProblem(403, 'forbidden', 'A chat session is given to the pages of this site only.');
    const pair = {
      host_mcp_url: new URL('/api/mcp/discovery', origin).href,
      // The open endpoint ignores credentials; Sveda sends one with every host.
      host_mcp_token: `none-${randomBytes(18).toString('base64url')}`,
    };
    const minted = await host
      .mint({ visitor_id: await visitorOf(c, cookieSecret), ttl: TTL, ...pair })
      .catch((error: unknown) => unavailable(error));
    c.header('cache-control', 'no-store');
    return c.json({ origin: sveda, token: minted.token, expires_in: minted.expires_in });
  });
}

/** Browsers name the page's origin with every POST. The site may also be called by its names on this machine. */
function isOwnPage(from: string | undefined, host: string, origin: string): boolean {
  return from === origin || from === `${new URL(origin).protocol}//${host}`;
}

function unavailable(error: unknown): never {
  if (!(error instanceof SvedaHostError)) throw error;
  throw new HttpProblem(503, 'unavailable', 'The chat is not available at the moment.');
}
