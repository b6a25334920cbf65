import { readChanges, type Change } from '@portolan/store';
import type { QueryExecutorProvider, RawBuilder, SqlBool } from 'kysely';
import { z } from 'zod';
import { cursorAfter, keyOf } from './cursor.ts';
import type { Paging } from './page.ts';

/** What has come since a cursor, oldest first, and the cursor to go on from: the given one where nothing has come. */
export interface Fed<Row> {
  readonly rows: readonly Change<Row>[];
  readonly cursor: string | undefined;
}

const Position = z.tuple([z.string().regex(/^\d{1,20}$/), z.uuid()]);

/** Reads a feed table on from a cursor of the same reader; `asked` tells readers apart that do not see the same rows. */
export async function feedAfter<Row>(
  db: QueryExecutorProvider,
  table: string,
  { limit, cursor }: Paging,
  asked: unknown,
  where?: RawBuilder<SqlBool>,
): Promise<Fed<Row>> {
  const [xid, id] = cursor === undefined ? [] : keyOf(cursor, asked, Position);
  const after = xid !== undefined && id !== undefined ? { xid, id } : undefined;
  const rows = await readChanges<Row>(db, table, after, limit, where);
  const last = rows.at(-1);
  return { rows, cursor: last ? cursorAfter([last.xid, last.id], asked) : cursor };
}
