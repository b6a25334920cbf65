import type { Caller } from '../access.ts';
import type { Ask } from './ask.ts';
import { beginCall } from './call.ts';
import { codes, fault } from './fault.ts';
import { hear, type Heard } from './hear.ts';
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
 * size, syntax, era; then the method runs. For a caller who is expected all of it, and a tool that only reads, is under
 * way while the credential is checked, and no answer leaves before.
 */
export function serveMcp<Deps>(options: ServeOptions<Deps>): Serve {
  const speaks = spoken(options.revisions);
  const reply = replies(options.headers ?? {});
  const now = options.now ?? Date.now;

  function asking(
    { request, receivedAt }: Received,
    { era, message }: Understood,
    caller: Caller,
  ): Ask<Deps> {
    const { params = {} } = message;
    const codec = era === 'legacy' ? legacy : modern;
    const { headers } = request;
    const surface = options.surface(caller);
    const gone = () => request.signal;
    return { params, codec, caller, surface, spoken: speaks, headers, receivedAt, options, gone };
  }

  async function ahead(received: Received, given: Given, expected: Caller): Promise<Ahead<Deps>> {
    const heard = await hear(received.request, given, speaks);
    if (heard.kind !== 'request') return { heard };
    const ask = asking(received, heard, expected);
    return { heard, ask: heard.message.method === 'tools/call' ? { ...ask, begun: beginCall(ask) } : ask };
  }

  async function serve(request: Request, given: Given): Promise<Response> {
    const received = { request, receivedAt: given.arrivedAt ?? now() };
    const early = given.expected && ahead(received, given, given.expected);
    // Nobody waits for it where the caller is refused.
    early?.catch(() => undefined);
    const caller = (await given.caller) ?? (await options.authenticate?.(request)) ?? anonymous;
    if (caller instanceof Response) return caller;
    const { heard, ask } = early ? await early : { heard: await hear(request, given, speaks) };
    if (heard.kind === 'unserved') return reply.methodNotAllowed();
    if (heard.kind === 'silent') return reply.accepted();
    if (heard.kind === 'refused') return reply.fault(heard.id, heard.fault, heard.fault.status ?? 400);
    const { id, method } = heard.message;
    const said = await answer(method, ask?.caller === caller ? ask : asking(received, heard, caller));
    const failed = typeof said === 'object' && 'code' in said;
    if (!failed) return reply.result(id, said, given.outgoing);
    return reply.fault(id, said, (heard.era === 'legacy' ? legacy : modern).status(said));
  }

  return async (request, given = {}) => {
    try {
      return await serve(request, given);
    } catch (error) {
      return reply.fault(null, fault(codes.internal, apology(report(options, error, {}))), 500);
    }
  };
}

/** A request, and when it came in epoch milliseconds. */
interface Received {
  readonly request: Request;
  readonly receivedAt: number;
}

type Understood = Extract<Heard, { kind: 'request' }>;

/** What is known, and perhaps begun, before the caller is certain. */
interface Ahead<Deps> {
  readonly heard: Heard;
  readonly ask?: Ask<Deps>;
}
