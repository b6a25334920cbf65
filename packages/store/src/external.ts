import { Client, type Pool } from 'pg';
import { Misconfigured } from './errors.ts';
import type { Access } from './pool.ts';

/** The oldest server this code is written for, as `server_version_num`. */
const OLDEST = 150_000;

/** How to reach the server that a connection URL names. Opens nothing. */
export function externalAccess(url: string): Access {
  const { host, port, database, user, password, ssl } = parse(url);
  if (database === undefined || user === undefined)
    throw new Misconfigured('server_unreachable', 'The database URL names no database or no user');
  return { database, user, password, port, ssl, locate: () => Promise.resolve(host) };
}

/** Refuses servers that do not answer or are too old. */
export async function requireServer(pool: Pool): Promise<void> {
  const version = await pool
    .query<{ version: string; number: number }>(
      `select current_setting('server_version') as version, current_setting('server_version_num')::int as number`,
    )
    .catch((cause: unknown) => {
      throw unreachable(cause);
    });
  const { version: name, number } = version.rows[0] ?? { version: 'unknown', number: 0 };
  if (number < OLDEST)
    throw new Misconfigured('server_too_old', `PostgreSQL ${name} is too old: 15 or newer is needed`);
}

function parse(url: string): Client {
  try {
    return new Client({ connectionString: url });
  } catch {
    throw new Misconfigured('server_unreachable', 'The database URL cannot be read as postgres://…');
  }
}

function unreachable(cause: unknown): Misconfigured {
  const reason = cause instanceof Error ? cause.message || cause.name : String(cause);
  return new Misconfigured('server_unreachable', `The database does not let us in: ${reason}`, { cause });
}
