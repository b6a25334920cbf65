import type { EdgeEnv } from '@portolan/http';
import { challenge, corsHeaders } from '@portolan/mcp/serve';
import type { Context, MiddlewareHandler } from 'hono';
import { readBearer } from './callers/bearer.ts';
import type { SiteCaller } from './callers/caller.ts';
import type { Arrival } from './callers/personal.ts';
import { callersAt, type Credentials, type Door } from './callers/resolve.ts';
import { addressOf, metadataOf, scopesOffered } from './registry.ts';
import type { Server } from './servers.ts';

/** What the door leaves for the mount behind it. */
export interface Admitted {
  caller?: SiteCaller | Promise<SiteCaller | Response>;
  /** Whom `caller` will most likely give, while it is a promise. */
  expected?: SiteCaller;
}

interface DoorOptions {
  readonly servers: readonly Server[];
  readonly origin: string;
  readonly credentials: Credentials;
}

/**
 * Decides the credential of every request to a protected endpoint before its method, its headers or a byte of its body. It
 * refuses with a challenge (RFC 6750 §3, RFC 9728 §5.1), or lets the request in with its caller. A preflight needs none.
 * Who was let in a moment ago and sends something short goes on to the mount meanwhile, which answers by the decision alone.
 */
export function credentialDoor({
  servers,
  origin,
  credentials,
}: DoorOptions): MiddlewareHandler<EdgeEnv<Admitted>> {
  const doors = new Map(
    servers
      .filter(({ admits }) => admits === 'credential')
      .map((server) => [server.endpoint, doorOf(server, origin, credentials)]),
  );
  return async (c, next) => {
    const door = doors.get(c.req.path);
    if (!door || c.req.method === 'OPTIONS') return next();
    const bearer = readBearer(c.req.raw);
    if ('flaw' in bearer) return refusal(door, bearer.flaw);
    const { caller, expected } = door.arrival(bearer.token);
    const decided = caller.then((one) => one ?? refusal(door, unknown));
    if (expected && isShort(c)) {
      // Whoever answers before the mount asks for no decision.
      decided.catch(() => undefined);
      c.set('expected', expected);
      c.set('caller', decided);
      return next();
    }
    const decision = await decided;
    if (decision instanceof Response) return decision;
    c.set('caller', decision);
    return next();
  };
}

const unknown = 'The token is not known here, has ended, or is for another endpoint.';

/** Bytes of a body that may be read before its sender is certain. */
const SHORT = 64 * 1024;

/** True where nobody on the way to the mount reads the body or refuses its length, and reading it tells the sender nothing. */
function isShort({ req }: Context): boolean {
  const length = req.header('content-length');
  const waits = req.header('expect') !== undefined;
  return req.method === 'POST' && !waits && length !== undefined && Number(length) <= SHORT;
}

interface ChallengingDoor extends Door {
  readonly resourceMetadata: string;
  readonly arrival: (token: string) => Arrival;
}

function doorOf(server: Server, origin: string, credentials: Credentials): ChallengingDoor {
  const door = { audience: addressOf(server, origin), takes: server.takes, offered: scopesOffered(server) };
  return { ...door, resourceMetadata: metadataOf(server, origin), arrival: callersAt(door, credentials) };
}

/** 401, which pages of other sites may read too. Without a flaw nothing was presented, and nothing is said of why. */
function refusal({ resourceMetadata, offered: scopes }: ChallengingDoor, flaw: string | undefined): Response {
  const error = flaw === undefined ? undefined : ('invalid_token' as const);
  const described = { ...(error && { error }), ...(flaw !== undefined && { description: flaw }) };
  return Response.json(
    { error: error ?? 'unauthorized', message: flaw ?? 'This endpoint asks for a bearer token.' },
    {
      status: 401,
      headers: { ...corsHeaders, 'www-authenticate': challenge({ resourceMetadata, scopes, ...described }) },
    },
  );
}
