import { type Kysely, sql, type Transaction } from 'kysely';
import { Misconfigured } from './errors.ts';
import { own } from './schema.ts';

/** One forward step of a schema. Its name never changes once released; names are unique and their order is the order of the list. */
export interface Migration {
  readonly name: string;
  readonly up: (db: Kysely<unknown>) => Promise<void>;
}

/** One lock for all apps: two apps that meet in one database must see each other. */
const LOCK = 7_667_711_300_001n;

/**
 * Brings the schema `app` to the last of `migrations`, each in its own transaction under an advisory lock, so that any number of
 * nodes may start at once. Throws Misconfigured when another app or a newer release has migrated this database.
 */
export async function migrate(
  db: Kysely<unknown>,
  app: string,
  migrations: readonly Migration[],
): Promise<void> {
  const steps = [...own, ...migrations];
  const names = new Set(steps.map(({ name }) => name));
  if (names.size < steps.length) throw new Error('Two migrations have one name');
  while (await oneStep(db, app, steps));
}

/** Applies the first missing migration. False when there is none. */
function oneStep(db: Kysely<unknown>, app: string, steps: readonly Migration[]): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx);
    await refuseOtherApps(tx, app);
    const applied = await appliedNames(tx, app);
    const next = nextStep(steps, applied);
    if (next === undefined) return false;
    await next.up(tx);
    await sql`insert into store_migration (position, name) values (${applied.length}, ${next.name})`.execute(
      tx,
    );
    return true;
  });
}

async function refuseOtherApps(tx: Transaction<unknown>, app: string): Promise<void> {
  const others = await sql<{ schema: string }>`
    select n.nspname as schema from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relname = 'store_migration' and n.nspname <> ${app}`.execute(tx);
  const other = others.rows[0]?.schema;
  if (other !== undefined)
    throw new Misconfigured(
      'other_app',
      `This database belongs to ${other}: give ${app} a database of its own`,
    );
}

async function appliedNames(tx: Transaction<unknown>, app: string): Promise<readonly string[]> {
  const found = await sql<{ there: boolean }>`
    select to_regclass(${`${app}.store_migration`}) is not null as there`.execute(tx);
  if (found.rows[0]?.there !== true) await createLedger(tx, app);
  const rows = await sql<{ name: string }>`select name from store_migration order by position`.execute(tx);
  return rows.rows.map(({ name }) => name);
}

async function createLedger(tx: Transaction<unknown>, app: string): Promise<void> {
  await sql`create schema if not exists ${sql.id(app)}`.execute(tx);
  await sql`create table store_migration (
    position int primary key, name text not null unique, applied_at timestamptz not null default now()
  )`.execute(tx);
}

function nextStep(steps: readonly Migration[], applied: readonly string[]): Migration | undefined {
  const known = new Set(steps.map(({ name }) => name));
  const unknown = applied.find((name) => !known.has(name));
  if (unknown !== undefined)
    throw new Misconfigured(
      'newer_schema',
      `A newer release has migrated this database (${unknown}): run that release, or restore an older export`,
    );
  return steps.find(({ name }) => !applied.includes(name));
}
