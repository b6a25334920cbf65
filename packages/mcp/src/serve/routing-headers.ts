import { decodedHeader } from './encoded-header.ts';
import { codes, echoed, fault, type Fault } from './fault.ts';

/** The member of `params` that `Mcp-Name` repeats, by method (2026-07-28, request headers). */
const nameSource: ReadonlyMap<string, string> = new Map([
  ['tools/call', 'name'],
  ['prompts/get', 'name'],
  ['resources/read', 'uri'],
]);

interface Message {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The fault of a modern request whose routing headers are missing or name something else than its body.
 * That `Mcp-Method` and the version agree with the body, where they are sent, the classifier has seen already.
 */
export function routingHeaderFault(headers: Headers, { method, params }: Message): Fault | undefined {
  if (headers.get('mcp-protocol-version') === null) return mismatch('MCP-Protocol-Version is missing.');
  if (headers.get('mcp-method') === null) return mismatch('Mcp-Method is missing.');
  const source = nameSource.get(method);
  if (source === undefined) return undefined;
  const name = params?.[source];
  const header = headers.get('mcp-name');
  if (header === null) {
    return typeof name === 'string'
      ? mismatch(`Mcp-Name is missing: it repeats params.${source}.`)
      : undefined;
  }
  const decoded = decodedHeader(header);
  if (decoded === undefined) return mismatch('Mcp-Name is not canonical Base64 of UTF-8.');
  if (typeof name !== 'string' || decoded === name) return undefined;
  return mismatch(`Mcp-Name names ${echoed(decoded)}, the body ${echoed(name)}.`);
}

function mismatch(message: string): Fault {
  return fault(codes.headerMismatch, message, { status: 400 });
}
