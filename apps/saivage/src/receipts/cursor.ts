import { Refusal } from '@portolan/mcp/tool';
import { z } from 'zod';

/** The last receipt of a page: the next page begins after it. */
const Position = z.strictObject({ settledAt: z.iso.datetime(), receiptId: z.uuid() });
type Position = z.infer<typeof Position>;

/** An opaque cursor for the receipts after this one. */
export function writeCursor({ settledAt, receiptId }: Position): string {
  return Buffer.from(JSON.stringify({ settledAt, receiptId })).toString('base64url');
}

/** Reads a cursor back. Throws `Refusal` for anything that `writeCursor` did not write. */
export function readCursor(cursor: string): Position {
  const parsed = Position.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString()));
  if (parsed.success) return parsed.data;
  throw new Refusal('invalid_input', 'The cursor is not of this list. List again without one.');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
