import { codes, fault, type Fault } from './fault.ts';
import { limits } from './limits.ts';

/**
 * The JSON value of a request's body, or the fault to answer. With a Content-Length (which Node enforces) the
 * body is read at once on the adapter's fast path; without one it is counted while it arrives.
 */
export async function jsonBody(request: Request): Promise<{ value: unknown } | Fault> {
  const length = request.headers.get('content-length');
  if (Number(length) > limits.bodyBytes) return tooLarge;
  try {
    const text = length === null ? await counted(request) : await request.text();
    return text === undefined ? tooLarge : { value: JSON.parse(text) as unknown };
  } catch {
    return fault(codes.parse, 'The body is not JSON.', { status: 400 });
  }
}

const tooLarge = fault(codes.transport, `The body is larger than ${limits.bodyBytes} bytes.`, {
  status: 413,
});

/** The text of a body of unknown length, or undefined as soon as it passes the limit. */
async function counted(request: Request): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of request.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > limits.bodyBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
