import { createHash } from 'node:crypto';
import { Refusal } from '@portolan/mcp/tool';
import { z } from 'zod';

const Envelope = z.tuple([z.string(), z.unknown()]);

/** A text inside a key. PostgreSQL takes no NUL. */
export const KeyText = z.string().refine((text) => !text.includes('\0'));

/** An opaque cursor for the rows after `key` of the list that `asked` describes (its arguments without limit and cursor). */
export function cursorAfter(key: readonly unknown[], asked: unknown): string {
  return Buffer.from(JSON.stringify([digest(asked), key])).toString('base64url');
}

/**
 * The key of the last row that was given, as `schema` reads it.
 * Throws a Refusal for a cursor that is not ours or belongs to other arguments.
 */
export function keyOf<K extends z.ZodType>(cursor: string, asked: unknown, schema: K): z.output<K> {
  const read = Envelope.safeParse(parse(cursor));
  const key = schema.safeParse(read.data?.[1]);
  if (!read.success || !key.success)
    throw new Refusal('invalid_input', 'The cursor is not one that this list gave.');
  if (read.data[0] !== digest(asked))
    throw new Refusal(
      'invalid_input',
      'The cursor belongs to other arguments: repeat them, or leave it out.',
    );
  return key.data;
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

function digest(asked: unknown): string {
  return createHash('sha256').update(JSON.stringify(asked)).digest('base64url').slice(0, 10);
}
