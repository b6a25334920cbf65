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
 * Listens on channels over one connection, made at the first need and made anew when it breaks. Hints are hints: they may come
 * twice, late or not at all, so whoever listens also polls.
 */
export function openListener(connect: () => Client, log: Log): Listener {
  const channels = new Map<string, Set<OnHint>>();
  const closing = new AbortController();
  let connection: Promise<Client> | undefined;

  async function open(): Promise<Client> {
    const client = connect();
    client.on('notification', ({ channel, payload }) => hint(channel, payload));
    client.on('error', (error) => log('the listening connection was lost', { reason: error.message }));
    await client.connect();
    client.once('end', () => void reopen());
    for (const channel of channels.keys()) await subscribe(client, channel);
    return client;
  }

  async function reopen(): Promise<void> {
    for (let wait = FIRST_PAUSE_MS; !closing.signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
      connection = open();
      const failed = await connection.then(
        () => false,
        () => true,
      );
      if (!failed) return hintAll();
      await pause(wait, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }

  function hint(channel: string, payload: string | undefined): void {
    for (const onHint of channels.get(channel) ?? []) onHint(payload === '' ? undefined : payload);
  }

  function hintAll(): void {
    for (const channel of channels.keys()) hint(channel, undefined);
  }

  return {
    async listen(channel, onHint) {
      const known = channels.get(channel);
      if (known) known.add(onHint);
      else channels.set(channel, new Set([onHint]));
      connection ??= open();
      const client = await connection;
      await subscribe(client, channel);
      return () => Promise.resolve(void channels.get(channel)?.delete(onHint));
    },
    async close() {
      closing.abort();
      channels.clear();
      await connection?.then((client) => client.end()).catch(() => undefined);
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
