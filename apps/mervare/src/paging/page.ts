import { z } from 'zod';
import { cursorAfter, keyOf } from './cursor.ts';

/** How much of a list is asked for, and after which row. */
export interface Paging {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** One page of a list. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly nextCursor?: string;
}

/** Keys of lists that go by id alone. */
const IdKey = z.tuple([z.uuid()]);

/**
 * A page of a list of rows with ids, newest first: ids grow with time. `read` gives up to `limit` rows whose id is below `before`,
 * or the newest ones without it. `asked` is what the list of this name depends on besides. Throws a Refusal for a cursor of another list.
 */
export async function newestFirst<Row extends { readonly id: string }>(
  { limit, cursor }: Paging,
  list: string,
  asked: unknown,
  read: (limit: number, before: string | undefined) => Promise<Row[]>,
): Promise<Page<Row>> {
  const whole = [list, asked];
  const [before] = cursor === undefined ? [] : keyOf(cursor, whole, IdKey);
  return cut(await read(limit + 1, before), limit, ({ id }) => [id], whole);
}

/** Cuts a list that was read one row too far, and says where the next page begins. */
export function cut<Row>(
  rows: readonly Row[],
  limit: number,
  keyAt: (row: Row) => readonly unknown[],
  asked: unknown,
): Page<Row> {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown,
    ...(last !== undefined && rows.length > limit && { nextCursor: cursorAfter(keyAt(last), asked) }),
  };
}
