import { readFileSync } from 'node:fs';
import { offerServer, testDatabase } from '@portolan/store/testing';
import { Client } from 'pg';

/** An empty database on an embedded PostgreSQL of its own. */
export interface Database {
  /** For DATABASE_URL. */
  readonly url: string;
  /** The server's first process. */
  readonly postmaster: number;
  readonly client: Client;
  end(): Promise<void>;
}

export async function openDatabase(): Promise<Database> {
  const stop = await offerServer(process.env);
  const { url } = await testDatabase({ app: 'mervare', migrations: [] });
  const client = new Client({ connectionString: url, options: '-c search_path=mervare' });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = parentOf(rows[0]?.pid ?? 0);
  const end = async () => {
    await client.end();
    await stop();
  };
  return { url, postmaster, client, end };
}

/** Every connection is a child of the first process. */
function parentOf(pid: number): number {
  return Number(/^PPid:\s*(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
}
