import type { IncomingMessage } from 'node:http';
import type { Context, MiddlewareHandler } from 'hono';
import { bodyLimit as limitWithoutSocket } from 'hono/body-limit';
import type { z } from 'zod';
import type { Bindings } from './edge.ts';
import { HttpProblem } from './problem.ts';

/** Bytes that a request body may have: one number, or one by path. */
export type BodyLimit = number | ((path: string) => number);

/**
 * Refuses a body above the limit with 413: by its declared length before a byte is read, else while it is read. A chunked
 * body is left as the adapter's raw body, so that handlers read it without the cost of a web stream.
 */
export function limitBody(limit: BodyLimit): MiddlewareHandler {
  return async (c, next) => {
    const most = typeof limit === 'number' ? limit : limit(c.req.path);
    const { incoming } = (c.env ?? {}) as Bindings;
    if (incoming === undefined)
      return limitWithoutSocket({ maxSize: most, onError: () => refuse(most) })(c, next);
    if (Number(incoming.headers['content-length'] ?? 0) > most) refuse(most);
    if (incoming.headers['transfer-encoding'] !== undefined) await keep(incoming, most);
    return next();
  };
}

/** Reads a body of unknown length, up to the limit, into the place where the adapter looks first. */
async function keep(incoming: IncomingMessage & { rawBody?: Buffer }, most: number): Promise<void> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > most) refuse(most);
    chunks.push(chunk);
  }
  incoming.rawBody = Buffer.concat(chunks);
}

/** The connection is given up too: its other half is a body that nobody will read. */
function refuse(most: number): never {
  const headers = { connection: 'close' };
  throw new HttpProblem(413, 'too_large', `The body may have at most ${most} bytes.`, headers);
}

/**
 * The JSON body as the schema's output. Throws a problem: 415 without a JSON content type, 400 `invalid_json` for text that
 * is not JSON, 400 `invalid_input` with the first faults by field.
 */
export async function readJson<S extends z.ZodType>(c: Context, schema: S): Promise<z.output<S>> {
  if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new HttpProblem(415, 'unsupported_media_type', 'Send JSON with content-type application/json.');
  const read = schema.safeParse(parse(await c.req.text()));
  if (!read.success) throw invalidInput(read.error);
  return read.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidJson();
  }
}

const invalidJson = () => new HttpProblem(400, 'invalid_json', 'The body is not JSON.');

/** The caller's fault behind the parser's error that a handler meets in `c.req.json()`; undefined when it is ours. */
export async function malformedBody(c: Context, error: Error): Promise<HttpProblem | undefined> {
  if (!(error instanceof SyntaxError) || !('text' in c.req.bodyCache)) return undefined;
  try {
    JSON.parse(await c.req.text());
    return undefined;
  } catch {
    return invalidJson();
  }
}

/** The first five faults of an input, by field, as one sentence. */
export function invalidInput({ issues }: Pick<z.ZodError, 'issues'>): HttpProblem {
  const faults = issues
    .slice(0, 5)
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`));
  return new HttpProblem(400, 'invalid_input', faults.join('; '));
}
