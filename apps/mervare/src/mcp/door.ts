import type { EdgeEnv } from '@portolan/http';
import { challenge, corsHeaders } from '@portolan/mcp/serve';
import type { MiddlewareHandler } from 'hono';
import { readBearer } from './callers/bearer.ts';
import type { SiteCaller } from './callers/caller.ts';
import { resolveCaller, type Credentials, type Door } from './callers/resolve.ts';
import { addressOf, metadataOf, scopesOffered } from './registry.ts';
import type { Server } from './servers.ts';

/** What the door leaves for the mount behind it. */
export interface Admitted {
  caller?: SiteCaller;
}

interface DoorOptions {
  readonly servers: readonly Server[];
  readonly origin: string;
  readonly credentials: Credentials;
}

/**
 * Decides the credential of every request to a protected endpoint before its method, its headers or a byte of its body. It
 * refuses with a challenge (RFC 6750 §3, RFC 9728 §5.1), or lets the request in with its caller. A preflight needs none.
 */
export function credentialDoor({
  servers,
  origin,
  credentials,
}: DoorOptions): MiddlewareHandler<EdgeEnv<Admitted>> {
  const doors = new Map(
    servers
      .filter(({ admits }) => admits === 'credential')
      .map((server) => [server.endpoint, doorOf(server, origin)]),
  );
  return async (c, next) => {
    const door = doors.get(c.req.path);
    if (!door || c.req.method === 'OPTIONS') return next();
    const bearer = readBearer(c.req.raw);
    if ('flaw' in bearer) return refusal(door, bearer.flaw);
    const caller = await resolveCaller(bearer.token, door, credentials);
    if (!caller) return refusal(door, 'The token is not known here, has ended, or is for another endpoint.');
    c.set('caller', caller);
    return next();
  };
}

interface ChallengingDoor extends Door {
  readonly resourceMetadata: string;
}

function doorOf(server: Server, origin: string): ChallengingDoor {
  return {
    audience: addressOf(server, origin),
    takes: server.takes,
    offered: scopesOffered(server),
    resourceMetadata: metadataOf(server, origin),
  };
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
