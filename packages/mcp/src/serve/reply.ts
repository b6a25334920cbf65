import type { Fault } from './fault.ts';

/** The id of a request, or null where none could be read. */
export type Id = string | number | null;

/** Makes the HTTP answers of one mount. */
export interface Reply {
  result(id: Id, json: string | Buffer): Response;
  fault(id: Id, fault: Fault, status: number): Response;
  /** A notification, or an answer to a question that we never ask. */
  accepted(): Response;
  methodNotAllowed(): Response;
}

/** `headers` stand on every answer. They are plain so that the adapter writes them without copying. */
export function replies(headers: Readonly<Record<string, string>>): Reply {
  const json = { ...headers, 'content-type': 'application/json' };
  const ok = { status: 200, headers: json };
  return {
    result: (id, result) =>
      new Response(typeof result === 'string' ? `${opened(id)}${result}}` : spliced(id, result), ok),
    fault: (id, { code, message, data }, status) =>
      new Response(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } }), {
        status,
        headers: json,
      }),
    accepted: () => new Response(null, { status: 202, headers }),
    methodNotAllowed: () =>
      new Response(
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"Only POST is served here."}}',
        {
          status: 405,
          headers: { ...json, allow: 'POST' },
        },
      ),
  };
}

function opened(id: Id): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`;
}

/** The answer that was given last around each page. */
const latest = new WeakMap<Buffer, { head: string; bytes: Uint8Array<ArrayBuffer> }>();

/**
 * The envelope around a page that is kept as bytes. Clients list right after they have opened, so nearly all of them
 * send the same id: the latest answer is kept, which saves 20 to 30 µs for a page of 160 KB.
 */
function spliced(id: Id, page: Buffer): Uint8Array<ArrayBuffer> {
  const head = opened(id);
  const last = latest.get(page);
  if (last?.head === head) return last.bytes;
  const headBytes = Buffer.byteLength(head);
  const bytes = Buffer.allocUnsafe(headBytes + page.length + 1);
  bytes.write(head);
  page.copy(bytes, headBytes);
  bytes.write('}', bytes.length - 1);
  if (head.length < 100) latest.set(page, { head, bytes });
  return bytes;
}
