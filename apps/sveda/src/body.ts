import type { Context } from 'hono';
import { HttpProblem } from '@portolan/http';
import { faultsOf } from '@sveda-ai/protocol';
import type { z } from 'zod';

/**
 * The JSON body as the schema's output. Refuses with 415 without a JSON content type, 400 for text that is not JSON,
 * 422 for what no database or function takes, and 422 with every fault by JSON pointer.
 */
export async function readBody<S extends z.ZodType>(c: Context, schema: S): Promise<z.output<S>> {
  if (!/^application\/json\s*(?:;|$)/i.test(c.req.header('content-type') ?? ''))
    throw new HttpProblem(415, 'unsupported_media_type', 'Send JSON with content-type application/json.');
  const text = await c.req.text();
  const read = schema.safeParse(parsed(text));
  if (read.success) return read.data;
  const faults = faultsOf(read.error);
  const message = faults[0]?.message ?? 'The body does not fit.';
  throw new HttpProblem(422, 'invalid_request', message, {}, { faults });
}

function parsed(text: string): unknown {
  let sound = true;
  const note = (key: string, value: unknown): unknown => {
    sound &&= isStorable(key) && (typeof value !== 'string' || isStorable(value));
    return value;
  };
  let value: unknown;
  try {
    // Only a body that writes such a character at all is looked through for it: it cannot stand there but escaped.
    value = /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.parse(text, note) : JSON.parse(text);
  } catch {
    throw new HttpProblem(400, 'invalid_json', 'The body is not JSON.');
  }
  // No text of a person has them, and the database takes none.
  if (!sound)
    throw new HttpProblem(
      422,
      'invalid_request',
      'The body contains the character U+0000 or half a character.',
    );
  if (!isShallow(value, NESTING))
    throw new HttpProblem(422, 'invalid_request', `The body is nested more than ${NESTING} levels deep.`);
  return value;
}

/** Levels of objects and lists in a body: more than a schema of ours has, fewer than any function that walks them can take. */
const NESTING = 200;

function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((inner) => isShallow(inner, levels - 1));
}

/** Text without U+0000 and without one half of a surrogate pair. */
function isStorable(text: string): boolean {
  return !/[\0\p{Cs}]/u.test(text);
}
