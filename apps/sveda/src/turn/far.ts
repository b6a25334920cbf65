import { sql, type Kysely } from 'kysely';
import type { Tables } from '../tables.ts';
import { TURN_CHANNEL } from './store.ts';

/** Where a node says that it reads a turn which runs on another one. */
export const READ_CHANNEL = 'sveda_read';

/** Milliseconds after which a reader elsewhere that has not said so again is taken for gone. */
const FOLLOWED_MS = 5_000;

/** What a node needs to read the turns of others, and to let others read its own. */
export interface FarOptions {
  readonly db: Kysely<Tables>;
  readonly runsHere: (turnId: string) => boolean;
  /** Turns that are read here and run elsewhere. */
  readonly readHere: () => readonly string[];
  readonly hint: (turnId: string) => void;
  readonly now: () => Date;
}

/**
 * Turns and readers on different nodes. A commit tells other nodes only of turns that one of them reads: telling costs every commit of
 * the database a lock and every node a wake-up. Readers also look by themselves, for hints may be lost.
 */
export function createFar({ db, runsHere, readHere, hint, now }: FarOptions) {
  const followed = new Map<string, number>();
  let seen = new Map<string, string>();
  return {
    /** A reader here waits for a turn that runs elsewhere. */
    async seek(turnId: string): Promise<void> {
      await sql`select pg_notify(${READ_CHANNEL}, ${turnId})`.execute(db);
    },
    /** A reader elsewhere waits for a turn: it may run here. What was committed before is told at once. */
    async asked(turnId: string): Promise<void> {
      if (!runsHere(turnId)) return;
      const isNew = !this.isFollowed(turnId);
      for (const [id, until] of followed) if (until < now().getTime()) followed.delete(id);
      followed.set(turnId, now().getTime() + FOLLOWED_MS);
      if (isNew) await sql`select pg_notify(${TURN_CHANNEL}, ${turnId})`.execute(db);
    },
    /** True while a reader elsewhere follows the turn. */
    isFollowed(turnId: string): boolean {
      return (followed.get(turnId) ?? 0) >= now().getTime();
    },
    /** Looks after all turns that are read here and run elsewhere, and says again that they are read. */
    async look(): Promise<void> {
      const turns = readHere();
      if (turns.length === 0) return seen.clear();
      const { rows } = await sql<{ id: string; state: string }>`
        select id, concat(status, ' ', last_event) as state, case when status = 'running' then pg_notify(${READ_CHANNEL}, id::text) end
        from turn where id = any(${turns}::uuid[])`.execute(db);
      const states = new Map(rows.map(({ id, state }) => [id, state]));
      for (const id of turns) if (states.get(id) !== seen.get(id)) hint(id);
      seen = states;
    },
  };
}
