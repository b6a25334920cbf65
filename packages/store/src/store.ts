import type { Kysely, QueryExecutorProvider } from 'kysely';
import { openMembership } from './embedded/membership.ts';
import { externalAccess, requireServer } from './external.ts';
import { notify, openListener, type OnHint } from './listen.ts';
import { migrate, type Migration } from './migrate.ts';
import { type Access, appLimits, type Log, newClient, openKysely, openPool } from './pool.ts';
import { connectAs, type Restricted, type RestrictedRole } from './roles.ts';

/** Who runs the server behind this store at the moment. A guest becomes the owner when the owner has gone. */
export type Mode = 'embedded-owner' | 'embedded-guest' | 'external';

/** The open database of one app. */
export interface Store<DB> {
  readonly db: Kysely<DB>;
  readonly mode: Mode;
  /** Calls `onHint` when somebody notifies the channel, and without a payload when hints may have been missed. Poll as well. */
  readonly listen: (channel: string, onHint: OnHint) => Promise<() => Promise<void>>;
  /** Wakes the listeners when `tx` commits. The payload is an id, never content. */
  notify(tx: QueryExecutorProvider, channel: string, payload: string): Promise<void>;
  /**
   * A statement that every connection parses and plans once, under this name: for what is asked on every request. Its answer is
   * the rows for the given values of `$1`, `$2`, …
   */
  readonly prepare: <Row>(
    name: string,
    text: string,
  ) => (values: readonly unknown[]) => Promise<readonly Row[]>;
  /** A second pool as a role that may SELECT from the named tables and views of this app and do nothing else. */
  connectAs<Views>(role: RestrictedRole): Promise<Restricted<Views>>;
  /** Ends all connections, and the embedded server when this store owns it. A second call waits for the same end. */
  close(): Promise<void>;
}

export interface StoreOptions {
  /** postgres://… of PostgreSQL 15 or newer. Left out: the embedded server in `dataDir`. */
  readonly url?: string;
  /** The app's data folder. Only used without `url`. */
  readonly dataDir: string;
  /** Lower-case name: the schema of the tables, and the embedded database. */
  readonly app: string;
  readonly migrations: readonly Migration[];
  readonly log?: Log;
  /** Ends the opening while it waits for somebody else's server, and between its steps. */
  readonly signal?: AbortSignal;
}

/** Opens the app's database and brings its schema up to date. Throws Misconfigured when the operator must act. */
export async function openStore<DB>(options: StoreOptions): Promise<Store<DB>> {
  const { app, migrations, log = () => undefined, signal } = options;
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(app)) throw new Error(`Not a schema name: ${app}`);
  const server = await reach(options, log);
  const { access } = server;
  const pool = openPool(access, app, appLimits, log);
  const db = openKysely<DB>(pool);
  const listener = openListener(() => newClient(access, app), log);
  let closed: Promise<void> | undefined;

  async function end(): Promise<void> {
    await listener.close();
    await db.destroy();
    await server.leave();
  }

  try {
    await requireServer(pool);
    signal?.throwIfAborted();
    await migrate(untyped(db), app, migrations);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    db,
    get mode() {
      return server.mode();
    },
    listen: listener.listen,
    notify,
    prepare: (name, text) => async (values) => (await pool.query({ name, text, values: [...values] })).rows,
    connectAs: <Views>(role: RestrictedRole) => connectAs<Views>(untyped(db), access, app, role, log),
    close: () => (closed ??= end()),
  };
}

/** The server behind a store. */
interface Reached {
  readonly access: Access;
  readonly mode: () => Mode;
  readonly leave: () => Promise<void>;
}

async function reach({ url, dataDir, app, signal }: StoreOptions, log: Log): Promise<Reached> {
  if (url !== undefined)
    return { access: externalAccess(url), mode: () => 'external', leave: () => Promise.resolve() };
  const { access, owner, leave } = await openMembership({
    dataDir,
    app,
    log,
    signal: signal ?? new AbortController().signal,
  });
  return { access, mode: () => (owner() ? 'embedded-owner' : 'embedded-guest'), leave };
}

function untyped<DB>(db: Kysely<DB>): Kysely<unknown> {
  return db as unknown as Kysely<unknown>;
}
