import { isJsonContentType } from '@modelcontextprotocol/server';
import { jsonBody } from './body.ts';
import { codes, fault, type Fault } from './fault.ts';
import { inbound, type Inbound } from './inbound.ts';
import type { Given } from './options.ts';
import type { Spoken } from './revisions.ts';

/** What a request asks, or why it is answered without a method; `unserved` where it is no POST. */
export type Heard = Inbound | { readonly kind: 'unserved' };

/** Reads a request: method, media type, size, syntax, era. It asks nobody, and answers nothing. */
export async function hear(request: Request, { body: given }: Given, spoken: Spoken): Promise<Heard> {
  if (request.method !== 'POST') return { kind: 'unserved' };
  const body = given === undefined ? await bodyOf(request) : { value: given };
  if ('code' in body) return { kind: 'refused', id: null, fault: body };
  return inbound(request.headers, body.value, spoken);
}

function bodyOf(request: Request): Promise<{ value: unknown } | Fault> | Fault {
  if (isJsonContentType(request.headers.get('content-type'))) return jsonBody(request);
  return fault(codes.transport, 'The Content-Type must be application/json.', { status: 415 });
}
