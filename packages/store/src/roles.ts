import { randomBytes } from 'node:crypto';
import { type Kysely, sql, type Transaction } from 'kysely';
import { Misconfigured } from './errors.ts';
import { type Access, type Log, openKysely, openPool, type SessionLimits } from './pool.ts';
import { scramVerifier } from './scram.ts';

/** What a second, weaker connection may read. */
export interface RestrictedRole {
  /** Short name; on the server it stands behind the database's name, since roles belong to all databases of a server. */
  readonly name: string;
  /** Tables and views of the app's schema. */
  readonly select: readonly string[];
}

/** A pool of a restricted role. Close it before the store. */
export interface Restricted<Views> {
  readonly db: Kysely<Views>;
  close(): Promise<void>;
}

const limits: SessionLimits = { connections: 5, statementMs: 5_000 };

/**
 * Makes the role if need be, sets its rights to exactly `select`, proves that it has no others, and connects as it. Any number of
 * nodes may do so at once: the password is made once and kept in a table that only the app reads.
 */
export async function connectAs<Views>(
  db: Kysely<unknown>,
  access: Access,
  schema: string,
  role: RestrictedRole,
  log: Log,
): Promise<Restricted<Views>> {
  const user = `${access.database}_${role.name}`;
  const password = await db
    .transaction()
    .execute((tx) => grantRole(tx, access.database, schema, user, role.select));
  const pool = openPool({ ...access, user, password }, schema, limits, log);
  return { db: openKysely<Views>(pool), close: () => pool.end() };
}

async function grantRole(
  tx: Transaction<unknown>,
  database: string,
  schema: string,
  user: string,
  select: readonly string[],
): Promise<string> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${user}, 0))`.execute(tx);
  const password = await ensureRole(tx, user);
  const name = sql.id(user);
  await sql`revoke temporary on database ${sql.id(database)} from public`.execute(tx);
  await sql`revoke all on all tables in schema ${sql.id(schema)} from ${name}`.execute(tx);
  await sql`grant connect on database ${sql.id(database)} to ${name}`.execute(tx);
  await sql`grant usage on schema ${sql.id(schema)} to ${name}`.execute(tx);
  for (const relation of select)
    await sql`grant select on ${sql.id(schema, relation)} to ${name}`.execute(tx);
  await proveBounds(tx, schema, user, select);
  return password;
}

async function ensureRole(tx: Transaction<unknown>, user: string): Promise<string> {
  const kept = await sql<{ password: string }>`select password from store_role where name = ${user}`.execute(
    tx,
  );
  const password = kept.rows[0]?.password ?? randomBytes(24).toString('base64url');
  const there = await sql`select from pg_roles where rolname = ${user}`.execute(tx);
  const verb = there.rows.length === 0 ? sql`create` : sql`alter`;
  if (kept.rows.length === 1 && there.rows.length === 1) return password;
  await sql`${verb} role ${sql.id(user)} login nosuperuser nocreatedb nocreaterole noinherit
    password ${sql.lit(scramVerifier(password))}`
    .execute(tx)
    .catch((cause: unknown) => {
      throw new Misconfigured('insufficient_privilege', createRoleHint(user), { cause });
    });
  await sql`alter role ${sql.id(user)} set default_transaction_read_only = on`.execute(tx);
  await sql`insert into store_role values (${user}, ${password})
    on conflict (name) do update set password = excluded.password`.execute(tx);
  return password;
}

function createRoleHint(user: string): string {
  return `The database user may not make the role ${user}: let the server's administrator run "alter role … createrole" for it`;
}

/** Grants to PUBLIC or by another hand would reach further than the app says: that is refused, not hoped for. */
async function proveBounds(
  tx: Transaction<unknown>,
  schema: string,
  user: string,
  select: readonly string[],
): Promise<void> {
  const reach = await sql<{ relation: string; writes: boolean }>`
    select n.nspname || '.' || c.relname as relation,
      has_table_privilege(${user}, c.oid, 'insert, update, delete, truncate, references, trigger') as writes
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'v', 'm', 'p', 'f') and n.nspname !~ '^(pg_|information_schema$)'
      and (has_table_privilege(${user}, c.oid, 'select, insert, update, delete, truncate, references, trigger')
        or has_any_column_privilege(${user}, c.oid, 'select, insert, update, references'))`.execute(tx);
  const allowed = new Set(select.map((relation) => `${schema}.${relation}`));
  const beyond = reach.rows.find(({ relation, writes }) => writes || !allowed.has(relation));
  if (beyond)
    throw new Misconfigured(
      'insufficient_privilege',
      `The role ${user} can reach ${beyond.relation} by a grant that is not ours: revoke it`,
    );
}
