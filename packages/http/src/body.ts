import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit as honoBodyLimit } from 'hono/body-limit';
import type { z } from 'zod';
import { HttpProblem } from './problem.ts';

/** Bytes that a request body may have: one number, or one a path. */
export type BodyLimit = number | ((path: string) => number);

/**
 * Refuses a body above the limit with 413, by its declared length before a byte is read, else while it is read. A chunked
 * body is kept as the adapter's raw body, so that handlers still read it without a web stream.
 */
export function limitBody(limit: BodyLimit): MiddlewareHandler {
  return async (c, next) => {
    const most = typeof limit === 'number' ? limit : limit(c.req.path);
    const incoming = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming;
    if (incoming === undefined) return withoutSocket(most)(c, next);
    const declared = incoming.headers['content-length'];
    if (declared !== undefined && Number(declared) > most) throw tooLarge(most);
    if (incoming.headers['transfer-encoding'] !== undefined) await keep(incoming, most);
    return next();
  };
}

const withoutSocket = (most: number) =>
  honoBodyLimit({
    maxSize: most,
    onError: () => {
      throw tooLarge(most);
    },
  });

/** Reads a body of unknown length up to the limit and leaves it where the adapter looks first. */
async function keep(incoming: IncomingMessage & { rawBody?: Buffer }, most: number): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  incoming.rawBody = Buffer.concat(chunks);
}

function tooLarge(most: number): HttpProblem {
  return new HttpProblem(413, 'too_large', `The body may have at most ${most} bytes.`, {
    connection: 'close',
  });
}

/**
 * The JSON body as the schema's output. Throws a problem: 415 without a JSON content type, 400 `invalid_json` for text that
 * is not JSON, 400 `invalid_input` with the first faults by field.
 */
export async function readJson<S extends z.ZodType>(c: Context, schema: S): Promise<z.output<S>> {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new HttpProblem(415, 'unsupported_media_type', 'Send JSON with content-type application/json.');
  const read = schema.safeParse(parse(await c.req.text()));
  if (read.success) return read.data;
  throw invalidInput(read.error);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpProblem(400, 'invalid_json', 'The body is not JSON.');
  }
}

/** The faults of an input as one sentence, the first five by field. */
export function invalidInput(error: z.ZodError): HttpProblem {
  const faults = error.issues
    .slice(0, 5)
    .map((issue) => (issue.path.length === 0 ? issue.message : `${issue.path.join('.')}: ${issue.message}`));
  return new HttpProblem(400, 'invalid_input', faults.join('; '));
}
