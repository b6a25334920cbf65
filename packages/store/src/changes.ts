import { type Kysely, type QueryExecutorProvider, type RawBuilder, sql, type SqlBool } from 'kysely';

/** Where a reader of a change feed stands: the last row that it has seen. */
export interface FeedPosition {
  readonly xid: string;
  readonly id: string;
}

/** A row of a feed table as it is read. */
export type Change<Row> = Row & FeedPosition;

/**
 * Makes a table readable as a feed: for a migration. The table must have `id uuid`; it gets `xid`, the transaction that wrote the row,
 * and the index the reader uses. Rows of a feed are inserted and deleted, never updated.
 */
export async function addChangeFeed(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`alter table ${sql.id(table)} add column xid xid8 not null default pg_current_xact_id()`.execute(
    db,
  );
  await sql`create index ${sql.id(`${table}_feed`)} on ${sql.id(table)} (xid, id)`.execute(db);
}

/**
 * The next rows after `after`, oldest transaction first. No row is ever skipped: rows of transactions that may still be followed by an
 * older one are held back until that one has ended. Positions do not survive a move to another server. `where` keeps rows out that this
 * reader is not to see; without it all are read.
 */
export async function readChanges<Row>(
  db: QueryExecutorProvider,
  table: string,
  after: FeedPosition | undefined,
  limit: number,
  where: RawBuilder<SqlBool> = sql<SqlBool>`true`,
): Promise<readonly Change<Row>[]> {
  const beyond = after ? sql`and (xid, id) > (${after.xid}::xid8, ${after.id}::uuid)` : sql``;
  const found = await sql<Change<Row>>`
    select * from ${sql.id(table)}
    where xid < pg_snapshot_xmin(pg_current_snapshot()) ${beyond} and ${where}
    order by xid, id limit ${limit}`.execute(db);
  return found.rows;
}
