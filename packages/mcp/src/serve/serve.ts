import { isJsonContentType } from '@modelcontextprotocol/server';
import type { Caller } from '../access.ts';
import { jsonBody } from './body.ts';
import { codes, fault, type Fault } from './fault.ts';
import { inbound } from './inbound.ts';
import { legacy } from './legacy.ts';
import { answer } from './methods.ts';
import { modern } from './modern.ts';
import type { Given, ServeOptions } from './options.ts';
import { replies } from './reply.ts';
import { apology, report } from './report.ts';
import { spoken } from './revisions.ts';

/** A mounted MCP server: stateless, one JSON answer a request. It never rejects. */
export type Serve = (request: Request, given?: Given) => Promise<Response>;

/** Who calls an endpoint that asks for no credential. */
export const anonymous: Caller = {
  kind: 'anonymous',
  name: 'anonymous',
  audience: '',
  scopes: [],
  grants: [],
};

/**
 * Serves MCP over Streamable HTTP, every revision of `options.revisions` on one URL. Any process answers any
 * request: there is no session, no stream and no state. The order of checks is credential, method, media type,
 * size, syntax, era; then the method runs.
 */
export function serveMcp<Deps>(options: ServeOptions<Deps>): Serve {
  const speaks = spoken(options.revisions);
  const reply = replies(options.headers ?? {});
  const now = options.now ?? Date.now;

  async function serve(request: Request, given: Given): Promise<Response> {
    const receivedAt = given.arrivedAt ?? now();
    const caller = given.caller ?? (await options.authenticate?.(request)) ?? anonymous;
    if (caller instanceof Response) return caller;
    if (request.method !== 'POST') return reply.methodNotAllowed();
    const body = given.body === undefined ? await bodyOf(request) : { value: given.body };
    if ('code' in body) return reply.fault(null, body, body.status ?? 400);
    const { headers } = request;
    const arrived = inbound(headers, body.value, speaks);
    if (arrived.kind === 'silent') return reply.accepted();
    if (arrived.kind === 'refused')
      return reply.fault(arrived.id, arrived.fault, arrived.fault.status ?? 400);
    const { id, method, params = {} } = arrived.message;
    const codec = arrived.era === 'legacy' ? legacy : modern;
    const said = await answer(method, {
      params,
      codec,
      caller,
      surface: options.surface(caller),
      spoken: speaks,
      headers,
      receivedAt,
      options,
      gone: () => request.signal,
    });
    const failed = typeof said === 'object' && 'code' in said;
    return failed ? reply.fault(id, said, codec.status(said)) : reply.result(id, said, given.outgoing);
  }

  return async (request, given = {}) => {
    try {
      return await serve(request, given);
    } catch (error) {
      return reply.fault(null, fault(codes.internal, apology(report(options, error, {}))), 500);
    }
  };
}

function bodyOf(request: Request): Promise<{ value: unknown } | Fault> | Fault {
  if (isJsonContentType(request.headers.get('content-type'))) return jsonBody(request);
  return fault(codes.transport, 'The Content-Type must be application/json.', { status: 415 });
}
