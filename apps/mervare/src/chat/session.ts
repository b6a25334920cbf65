import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { createSvedaHost, SvedaHostError, type MintBody } from '@sveda-ai/host';
import { byAddress, HttpProblem, throttle, type EdgeEnv, type Logger } from '@portolan/http';
import { addressOf } from '../mcp/registry.ts';
import { discovery, wide } from '../mcp/servers.ts';
import type { Deps } from '../mcp/vocabulary.ts';
import { currentPerson, type SignedIn } from '../people/session.ts';
import {
  dropVisitorToken,
  embedTokensOf,
  issueVisitorToken,
  keepEmbedToken,
} from '../people/visitor-token.ts';
import { seal, unseal } from './seal.ts';
import { memberId, visitorOf } from './visitor.ts';

/** The Sveda server behind the chat on the site's pages. */
export interface ChatOptions {
  /** Origin of the Sveda server, as browsers reach it. */
  readonly sveda: string;
  readonly hostKey: string;
  /** Signs the visitor's cookie, and seals what is kept of a chat. */
  readonly cookieSecret: string;
  readonly deps: Pick<Deps, 'db' | 'origin' | 'now'>;
  readonly log: Logger;
}

/** The chat of the pages. */
export interface Chat {
  readonly routes: Hono<EdgeEnv>;
  /** Ends the chats of a session that is about to end. A Sveda server that does not answer keeps nobody from leaving. */
  readonly end: (session: Buffer) => Promise<void>;
}

/** Seconds that a visitor's token lives; the element renews it. */
const TTL = 3_600;

/** What the key of a sealed embed token is for. */
const SEALED = 'embed token';

/** Milliseconds that signing out waits for the Sveda server. */
const END_MS = 2_000;

/**
 * `POST /sveda/session`: a token for this browser's visitor, whose agent reads what anonymous callers may read; for somebody who has
 * signed in, what that person may do, without what queues code, steers agents or works in funding. The pages of other sites
 * get none.
 */
export function openChat({ sveda, hostKey, cookieSecret, deps, log }: ChatOptions): Chat {
  const { db, origin, now } = deps;
  const host = createSvedaHost({ origin: sveda, hostKey });
  const mint = (body: MintBody) =>
    host.mint({ ...body, ttl: TTL }).catch((error: unknown) => unavailable(error));

  /** The bearer is made first, so that no embed token ever stands without one, and goes if the mint fails. */
  const forMember = async (signedIn: SignedIn) => {
    const audience = addressOf(wide, origin);
    const bearer = await issueVisitorToken(db, signedIn, { audience, ttl: TTL, now: now() });
    const visitor_id = memberId(signedIn.person.id, cookieSecret);
    try {
      const minted = await mint({ visitor_id, host_mcp_url: audience, host_mcp_token: bearer });
      await keepEmbedToken(db, bearer, seal(cookieSecret, minted.token, SEALED));
      return minted;
    } catch (error) {
      await dropVisitorToken(db, bearer);
      throw error;
    }
  };

  const limit = throttle({ name: 'session', points: 30, perSeconds: 60, key: byAddress });
  const routes = new Hono<EdgeEnv>().post('/sveda/session', limit, async (c) => {
    if (!isOwnPage(c.req.header('origin'), c.get('client').host, origin))
      throw new HttpProblem(403, 'forbidden', 'A chat session is given to the pages of this site only.');
    const signedIn = await currentPerson(c, db, now());
    const minted = signedIn
      ? await forMember(signedIn)
      : await mint({
          visitor_id: await visitorOf(c, cookieSecret),
          host_mcp_url: addressOf(discovery, origin),
          // The open endpoint ignores credentials; Sveda sends one with every host.
          host_mcp_token: `none-${randomBytes(18).toString('base64url')}`,
        });
    c.header('cache-control', 'no-store');
    return c.json({ origin: sveda, token: minted.token, expires_in: minted.expires_in });
  });

  return {
    routes,
    async end(session) {
      const hurried = createSvedaHost({ origin: sveda, hostKey, timeout: END_MS });
      const tokens = await embedTokensOf(db, session);
      const ends = await Promise.allSettled(
        tokens.map(async (sealed) => hurried.revoke(unseal(cookieSecret, sealed, SEALED))),
      );
      const left = ends.filter(({ status }) => status === 'rejected').length;
      if (left > 0) log.warn({ left }, 'chats could not be ended; they end by themselves within the hour');
    },
  };
}

/** Browsers name the page's origin with every POST. The site may also be called by its names on this machine. */
function isOwnPage(from: string | undefined, host: string, origin: string): boolean {
  return from === origin || from === `${new URL(origin).protocol}//${host}`;
}

function unavailable(error: unknown): never {
  if (!(error instanceof SvedaHostError)) throw error;
  throw new HttpProblem(503, 'unavailable', 'The chat is not available at the moment.');
}
