import { classifyInboundRequest, type InboundLegacyRoute } from '@modelcontextprotocol/server';
import { acceptsBoth } from './accept.ts';
import type { Codec } from './codec.ts';
import { codes, fault, type Fault } from './fault.ts';
import { legacy } from './legacy.ts';
import { modern } from './modern.ts';
import type { Id } from './reply.ts';
import type { Spoken } from './revisions.ts';
import { routingHeaderFault } from './routing-headers.ts';

export type Params = Readonly<Record<string, unknown>>;

/** A body after the edge: a request of one era, something that needs no answer, or a refusal with its status. */
export type Inbound =
  | { kind: 'request'; id: string | number; codec: Codec; method: string; params: Params }
  | { kind: 'silent' }
  | { kind: 'refused'; id: Id; fault: Fault };

/** Decides the era of a parsed body once, by the SDK's rules, and checks what the HTTP binding of that era asks. */
export function inbound(headers: Headers, body: unknown, spoken: Spoken): Inbound {
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...named('protocolVersionHeader', headers.get('mcp-protocol-version')),
    ...named('mcpMethodHeader', headers.get('mcp-method')),
  });
  if (route.kind === 'reject') {
    return refused(body, fault(route.code, route.message, { data: route.data, status: route.httpStatus }));
  }
  if (route.kind === 'legacy') return legacyInbound(route, headers, body, spoken);
  const { revision } = route.classification;
  if (!spoken.modern.some((one) => one === revision)) return refused(body, unsupported(spoken, revision));
  if (route.messageKind === 'notification') return { kind: 'silent' };
  const mismatch = routingHeaderFault(headers, route.message);
  return mismatch ? refused(body, mismatch) : request(modern, route.message);
}

function legacyInbound(route: InboundLegacyRoute, headers: Headers, body: unknown, spoken: Spoken): Inbound {
  const { reason, requestedVersion } = route;
  if (reason === 'batch') return refused(body, badRequest(codes.invalidRequest, 'Batches are not served.'));
  if (spoken.legacy.length === 0) {
    if (reason === 'notification') return { kind: 'silent' };
    if (reason === 'response') return refused(body, badRequest(codes.invalidRequest, 'Nothing was asked.'));
    return refused(body, unsupported(spoken, requestedVersion));
  }
  if (!acceptsBoth(headers.get('accept'))) {
    const message = 'Accept must name application/json and text/event-stream.';
    return refused(body, fault(codes.transport, message, { status: 406 }));
  }
  const version = headers.get('mcp-protocol-version');
  if (reason !== 'initialize' && version !== null && !spoken.legacy.some((one) => one === version)) {
    return refused(body, unsupportedHeader(spoken));
  }
  if (reason === 'notification' || reason === 'response') return { kind: 'silent' };
  return request(legacy, body as { id: string | number; method: string; params?: Params });
}

function request(
  codec: Codec,
  { id, method, params = {} }: { id: string | number; method: string; params?: Params },
): Inbound {
  return { kind: 'request', id, codec, method, params };
}

function refused(body: unknown, found: Fault): Inbound {
  return { kind: 'refused', id: idOf(body), fault: found };
}

/** A revision of the modern era that is not spoken here. Without any, the words of the legacy era. */
function unsupported({ legacy: older, modern: supported }: Spoken, requested: string | undefined): Fault {
  if (supported.length === 0) return unsupportedHeader({ legacy: older, modern: supported });
  return fault(codes.unsupportedRevision, 'This protocol revision is not served here.', {
    status: 400,
    data: { supported, ...(requested !== undefined && { requested }) },
  });
}

function unsupportedHeader({ legacy: supported }: Spoken): Fault {
  return badRequest(
    codes.transport,
    `This protocol revision is not served here. Supported: ${supported.join(', ')}.`,
  );
}

function badRequest(code: number, message: string): Fault {
  return fault(code, message, { status: 400 });
}

/** The id to repeat in an error: the one of a single request that named its method, else null. */
function idOf(body: unknown): Id {
  if (typeof body !== 'object' || body === null || !('id' in body) || !('method' in body)) return null;
  const { id } = body;
  return typeof id === 'string' || Number.isInteger(id) ? (id as Id) : null;
}

function named(key: string, value: string | null): object {
  return value === null ? {} : { [key]: value };
}
