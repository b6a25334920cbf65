import type { Readable } from 'node:stream';
import { refuse, type Verdict } from '../verdict.ts';
import type { HeadStep } from './head.ts';

/** Bytes that a request body may have. */
export const MAX_BODY = 1024 * 1024;

const tooLarge = refuse(413, `The body may have at most ${MAX_BODY} bytes.`);

const brokenOff = refuse(400, 'The body broke off.');

/** A body that says it is too large is not read at all. */
export const declaredSizeFits: HeadStep = (head) =>
  Number(head.values('content-length')[0] ?? 0) > MAX_BODY ? tooLarge : undefined;

/** Reads the body, or stops at the first byte over the limit, or where the client breaks off. */
export async function readBody(
  incoming: Readable,
): Promise<{ readonly body: Buffer } | { readonly refused: Verdict }> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    // The socket must outlive the reading: the answer goes out on it.
    for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_BODY) return { refused: tooLarge };
      chunks.push(chunk);
    }
  } catch {
    return { refused: brokenOff };
  }
  return { body: Buffer.concat(chunks) };
}
