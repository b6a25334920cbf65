import {
  classifyInboundRequest,
  type InboundLegacyRoute,
  type InboundModernRoute,
} from '@modelcontextprotocol/server';
import { acceptsBoth } from './accept.ts';
import type { Era } from './codec.ts';
import { everydayEra, type Message } from './everyday.ts';
import { codes, fault, type Fault } from './fault.ts';
import type { Id } from './reply.ts';
import type { Spoken } from './revisions.ts';
import { routingHeaderFault } from './routing-headers.ts';

/** A body after the edge: a request of one era, something that needs no answer, or a refusal with its status. */
export type Inbound =
  | { kind: 'request'; era: Era; message: Message }
  | { kind: 'silent' }
  | { kind: 'refused'; id: Id; fault: Fault };

/** Decides the era of a parsed body once, by the SDK's rules, and checks what the HTTP binding of that era asks. */
export function inbound(headers: Headers, body: unknown, spoken: Spoken): Inbound {
  const version = headers.get('mcp-protocol-version');
  const method = headers.get('mcp-method');
  if (spoken.modern.length === 0 && !isSpoken(version, spoken))
    return refused(body, unsupportedHeader(spoken));
  const era = everydayEra(body, version, method, spoken);
  if (era === undefined) return classified(headers, version, method, body, spoken);
  const message = body as Message;
  const found = era === 'legacy' ? acceptFault(headers) : routingHeaderFault(headers, message);
  return found ? refused(body, found) : { kind: 'request', era, message };
}

function classified(
  headers: Headers,
  version: string | null,
  method: string | null,
  body: unknown,
  spoken: Spoken,
): Inbound {
  const route = classifyInboundRequest({
    httpMethod: 'POST',
    body,
    ...(version !== null && { protocolVersionHeader: version }),
    ...(method !== null && { mcpMethodHeader: method }),
  });
  if (route.kind === 'legacy') return ofLegacy(route, headers, version, body, spoken);
  if (route.kind === 'modern') return ofModern(route, headers, spoken);
  return refused(body, fault(route.code, route.message, { data: route.data, status: route.httpStatus }));
}

function ofModern(route: InboundModernRoute, headers: Headers, spoken: Spoken): Inbound {
  const { message, classification } = route;
  const { revision } = classification;
  if (!spoken.modern.some((one) => one === revision)) return refused(message, unsupported(spoken, revision));
  if (route.messageKind === 'notification') return { kind: 'silent' };
  const found = routingHeaderFault(headers, route.message);
  return found ? refused(message, found) : { kind: 'request', era: 'modern', message: route.message };
}

function ofLegacy(
  { reason, requestedVersion }: InboundLegacyRoute,
  headers: Headers,
  version: string | null,
  body: unknown,
  spoken: Spoken,
): Inbound {
  if (reason === 'batch') return refused(body, badRequest(codes.invalidRequest, 'Batches are not served.'));
  const silent = reason === 'notification' || reason === 'response';
  if (spoken.legacy.length === 0) {
    return silent ? { kind: 'silent' } : refused(body, unsupported(spoken, requestedVersion));
  }
  const found =
    acceptFault(headers) ??
    (reason === 'initialize' || isSpoken(version, spoken) ? undefined : unsupportedHeader(spoken));
  if (found) return refused(body, found);
  return silent ? { kind: 'silent' } : { kind: 'request', era: 'legacy', message: body as Message };
}

/** A legacy request may leave its header out. */
function isSpoken(version: string | null, { legacy }: Spoken): boolean {
  return version === null || legacy.some((one) => one === version);
}

function refused(body: unknown, found: Fault): Inbound {
  return { kind: 'refused', id: idOf(body), fault: found };
}

function acceptFault(headers: Headers): Fault | undefined {
  if (acceptsBoth(headers.get('accept'))) return undefined;
  const message = 'Accept must name application/json and text/event-stream.';
  return fault(codes.transport, message, { status: 406 });
}

/** A revision that the mount does not speak, in the words of the newest era that it does speak. */
function unsupported(spoken: Spoken, requested: string | undefined): Fault {
  if (spoken.modern.length === 0) return unsupportedHeader(spoken);
  return fault(codes.unsupportedRevision, 'This protocol revision is not served here.', {
    status: 400,
    data: { supported: spoken.modern, ...(requested !== undefined && { requested }) },
  });
}

function unsupportedHeader({ legacy }: Spoken): Fault {
  const message = `This protocol revision is not served here. Supported: ${legacy.join(', ')}.`;
  return badRequest(codes.transport, message);
}

function badRequest(code: number, message: string): Fault {
  return fault(code, message, { status: 400 });
}

/** The id to repeat in an error: the one of a single request, else null. */
function idOf(body: unknown): Id {
  if (typeof body !== 'object' || body === null || !('id' in body) || !('method' in body)) return null;
  const { id } = body;
  return typeof id === 'string' || Number.isSafeInteger(id) ? (id as Id) : null;
}
