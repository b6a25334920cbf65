import { Kysely, PostgresDialect } from 'kysely';
import { callbackify } from 'node:util';
import { Client, type ClientConfig, Pool } from 'pg';
import { letPrepare } from './prepared.ts';
import { typeParsers } from './types.ts';

/** Tells something worth a line in the log. Facts hold no secret and no row. */
export type Log = (message: string, facts: Readonly<Record<string, unknown>>) => void;

/** How one role reaches one database. */
export interface Access {
  readonly database: string;
  readonly user: string;
  readonly password: string | undefined;
  readonly port: number;
  readonly ssl: ClientConfig['ssl'];
  /** Host name or socket folder, asked anew for every connection: an embedded server may have moved. */
  locate(): Promise<string>;
}

/** Settings of every connection. Times in milliseconds. */
export interface SessionLimits {
  readonly connections: number;
  readonly statementMs: number;
}

export const appLimits: SessionLimits = { connections: 10, statementMs: 30_000 };

const IDLE_TRANSACTION_MS = 60_000;
const CONNECT_MS = 15_000;

/** A bounded pool whose sessions speak UTC and see the tables of `schema` without a prefix. */
export function openPool(access: Access, schema: string, limits: SessionLimits, log: Log): Pool {
  const pool = new Pool({
    ...clientConfig(access, schema, limits),
    Client: locating(access),
    max: limits.connections,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: CONNECT_MS,
  });
  pool.on('error', (error) => log('a database connection was lost', { reason: error.message }));
  return pool;
}

/** One connection outside of the pool, for LISTEN. */
export function newClient(access: Access, schema: string): Client {
  const Located = locating(access);
  return new Located({ ...clientConfig(access, schema, appLimits), connectionTimeoutMillis: CONNECT_MS });
}

export function openKysely<DB>(pool: Pool): Kysely<DB> {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  letPrepare(db, pool);
  return db;
}

function clientConfig(access: Access, schema: string, limits: SessionLimits): ClientConfig {
  return {
    database: access.database,
    user: access.user,
    password: access.password,
    port: access.port,
    ssl: access.ssl,
    host: '',
    types: typeParsers,
    application_name: schema,
    keepAlive: true,
    statement_timeout: limits.statementMs,
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    options: `-c search_path=${schema} -c timezone=UTC`,
  };
}

/** A client class that asks where the server is before each connection. */
function locating(access: Access): typeof Client {
  return class extends Client {
    override connect(): Promise<Client>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<Client> | void {
      if (callback === undefined) return this.#connect();
      callbackify(() => this.#connect())(callback);
    }

    async #connect(): Promise<Client> {
      // A pool listens to idle connections only. Whatever is lost else rejects a query, and must not end the process as well: in the midst
      // of the query, or as soon as the connection stands, before the pool has it.
      this.on('error', () => undefined);
      this.host = await access.locate();
      return super.connect();
    }
  };
}

type Connected = (error: Error | null, client?: Client) => void;
