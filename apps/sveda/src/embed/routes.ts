import { Hono, type Context } from 'hono';
import { byAddress, HttpProblem, type EdgeEnv, type ThrottleStore } from '@portolan/http';
import { MintRequest, RevokeRequest, type MintAnswer } from '@sveda-ai/protocol';
import { readBody } from '../body.ts';
import { perMinute } from '../limits/per-minute.ts';
import { admitHost, holdsHostKey, type Door } from './door.ts';
import type { AppKeys } from './keys.ts';
import { seal } from './seal.ts';
import { LONGEST_TOKEN, signToken } from './token.ts';
import type { TokenStore } from './tokens.ts';

export interface EmbedOptions extends Door {
  readonly keys: AppKeys;
  readonly tokens: TokenStore;
  /** Names of the policies in force. */
  readonly policies: () => ReadonlySet<string>;
  /** Mints a minute, by host key and address. */
  readonly mintsPerMinute: () => number;
  /** Where several nodes count together. */
  readonly throttles: ThrottleStore | undefined;
  readonly now: () => Date;
  readonly newId: () => string;
}

/** `POST /sveda/embed/token` and `/sveda/embed/token/revoke`. */
export function embedRoutes(options: EmbedOptions) {
  const { hostKey } = options;
  const limit = perMinute<EdgeEnv>(
    'mint',
    options.mintsPerMinute,
    // Whoever guesses has one budget for all guesses, and uses up nothing of the host's own.
    (c) => `${hostKey === undefined || holdsHostKey(c, hostKey) ? 'host' : 'stranger'} ${byAddress(c)}`,
    options.throttles,
  );
  return new Hono<EdgeEnv>()
    .post('/sveda/embed/token', limit, async (c) => {
      admitHost(c, options);
      return c.json(await mint(c, options));
    })
    .post('/sveda/embed/token/revoke', limit, async (c) => {
      admitHost(c, options);
      const { token } = await readBody(c, RevokeRequest);
      await options.tokens.revoke(token, options.now());
      return c.json({ revoked: true });
    });
}

async function mint(c: Context<EdgeEnv>, options: EmbedOptions): Promise<MintAnswer> {
  const body = await readBody(c, MintRequest);
  const { visitor_id: visitor = options.newId(), policy, grants, ttl } = body;
  if (policy !== undefined && !options.policies().has(policy))
    throw fault('/policy', `There is no policy named ${policy}.`);
  const { host_mcp_url: url, host_mcp_token: token } = body;
  const now = options.now();
  const claims = {
    visitor,
    expires: Math.floor(now.getTime() / 1000) + ttl,
    id: options.newId(),
    ...(policy !== undefined && { policy }),
    ...(grants && { grants }),
  };
  const signed = signToken(claims, options.keys);
  if (signed.length > LONGEST_TOKEN) throw fault('/grants', 'The grants are too large for a token.');
  if (url !== undefined && token !== undefined) {
    if (options.hostKey === undefined) throw fault('/host_mcp_token', NO_KEY_NO_PAIR);
    await options.tokens.keep(claims, seal({ url, token }, claims.id, options.keys));
  }
  return { token: signed, visitor_id: visitor, expires_in: ttl };
}

/** A fault of the body that only this server can see. */
function fault(pointer: string, message: string): HttpProblem {
  return new HttpProblem(422, 'invalid_request', message, {}, { faults: [{ pointer, message }] });
}

const NO_KEY_NO_PAIR =
  'host_mcp_url and host_mcp_token are taken only where a host key is configured: set SVEDA_EMBED_HOST_API_KEY.';
