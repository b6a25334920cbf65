import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import type { Pool } from 'pg';

/** The connections behind a query builder, and the names of the texts that they have prepared. */
interface Preparing {
  readonly pool: Pool;
  readonly names: Map<string, string>;
}

const preparing = new WeakMap<QueryExecutorProvider, Preparing>();

/** What is asked in more forms than this is parsed every time. */
const MOST_TEXTS = 300;

/** Lets `askPrepared` reach the connections behind `db`. */
export function letPrepare(db: QueryExecutorProvider, pool: Pool): void {
  preparing.set(db, { pool, names: new Map() });
}

/**
 * The rows of a statement that each connection parses and plans once: for what is asked on many requests, in few forms. Everything that
 * differs between two requests has to be a value of the statement, not a part of its text, and its columns are named, since a prepared
 * statement may not change the type of its result. `db` is that of a store or of a restricted role, not a transaction.
 */
export async function askPrepared<Row>(
  db: QueryExecutorProvider,
  statement: RawBuilder<Row>,
): Promise<readonly Row[]> {
  const known = preparing.get(db);
  if (!known) throw new Error('Only the database of a store and of a restricted role prepares statements.');
  const { sql: text, parameters } = statement.compile(db);
  const { rows } = await known.pool.query({ ...nameOf(text, known), text, values: [...parameters] });
  return rows as Row[];
}

function nameOf(text: string, { names }: Preparing): { readonly name?: string } {
  const known = names.get(text);
  if (known !== undefined) return { name: known };
  if (names.size === MOST_TEXTS) return {};
  const name = `asked_${names.size}`;
  names.set(text, name);
  return { name };
}
