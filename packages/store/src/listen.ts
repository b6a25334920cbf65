import { type QueryExecutorProvider, sql } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from 'pg';
import type { Log } from './pool.ts';

/** A wake-up: the id that was sent, or nothing when some may have been missed and the listener should look for itself. */
export type OnHint = (payload: string | undefined) => void;

/** One connection that listens for a whole store. */
export interface Listener {
  readonly listen: (channel: string, onHint: OnHint) => Promise<() => Promise<void>>;
  readonly close: () => Promise<void>;
}

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Listens on channels over one connection, made at the first need and made anew whenever it breaks. Hints may come twice, late or not at
 * all, so whoever listens also polls.
 */
export function openListener(newClient: () => Client, log: Log): Listener {
  const channels = new Map<string, Set<OnHint>>();
  const closing = new AbortController();
  let connection: Promise<Client | undefined> | undefined;
  // One subscription after the other: a client of pg takes one query at a time.
  let subscribed: Promise<void> = Promise.resolve();

  /** Tries until it is connected and listens on all channels. Nothing when the listener is closed in the meantime. */
  async function connect(): Promise<Client | undefined> {
    for (let wait = FIRST_PAUSE_MS; !closing.signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      const client = newClient();
      client.on('notification', ({ channel, payload }) => hint(channel, payload));
      client.on('error', (error) => log('the listening connection was lost', { reason: error.message }));
      try {
        await client.connect();
        for (const channel of channels.keys()) await subscribe(client, channel);
        client.once('end', () => void reconnect());
        return client;
      } catch (error) {
        log('the database cannot be listened to', { reason: String(error) });
        await client.end().catch(() => undefined);
        await pause(wait, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    }
    return undefined;
  }

  async function reconnect(): Promise<void> {
    connection = connect();
    await connection;
    for (const channel of channels.keys()) hint(channel, undefined);
  }

  function hint(channel: string, payload: string | undefined): void {
    for (const onHint of channels.get(channel) ?? []) onHint(payload);
  }

  return {
    async listen(channel, onHint) {
      const known = channels.get(channel) ?? new Set();
      channels.set(channel, known.add(onHint));
      connection ??= connect();
      const client = await connection;
      // When it breaks here, the next connection listens on all channels and hints.
      if (client)
        subscribed = subscribed
          .then(() => subscribe(client, channel))
          .catch(async () => void (await connection));
      await subscribed;
      return async () => void known.delete(onHint);
    },
    async close() {
      closing.abort();
      channels.clear();
      await (await connection)?.end();
    },
  };
}

/** Wakes the listeners of a channel when `tx` commits. Send an id, never content: PostgreSQL takes at most 8,000 bytes. */
export async function notify(tx: QueryExecutorProvider, channel: string, payload: string): Promise<void> {
  await sql`select pg_notify(${channel}, ${payload})`.execute(tx);
}

async function subscribe(client: Client, channel: string): Promise<void> {
  await client.query(`listen ${client.escapeIdentifier(channel)}`);
}
