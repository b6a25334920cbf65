import { Client } from 'pg';

/** One statement after the other as the user that may make databases. */
export async function asAdmin<Result>(
  url: string,
  work: (admin: Client) => Promise<Result>,
): Promise<Result> {
  const admin = new Client({ connectionString: url });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/**
 * Ends the clients of a database and waits until they are gone, which a busy machine may take longer for than `drop database` waits. That
 * then ends an autovacuum worker itself, while `with (force)` refuses to: a worker belongs to no role, so only a superuser may.
 */
const CUT = `select pg_terminate_backend(pid, 60000) from pg_stat_activity
  where datname = $1 and backend_type = 'client backend' and pid <> pg_backend_pid()`;

/** Drops the databases whose names begin with `prefix`, and the restricted roles that were made for them. */
export async function dropDatabases(url: string, prefix: string): Promise<void> {
  await asAdmin(url, async (admin) => {
    const databases = await admin.query<{ name: string }>(
      'select datname as name from pg_database where starts_with(datname, $1)',
      [prefix],
    );
    for (const { name } of databases.rows) {
      // Whoever is cut may come back at once, before the database is dropped.
      await admin.query(`alter database "${name}" with allow_connections false`);
      await admin.query(CUT, [name]);
      await admin.query(`drop database "${name}"`);
    }
    const roles = await admin.query<{ name: string }>(
      'select rolname as name from pg_roles where starts_with(rolname, $1)',
      [prefix],
    );
    for (const { name } of roles.rows) await admin.query(`drop role "${name}"`);
  });
}
