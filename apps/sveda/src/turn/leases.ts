import { LeaseLost } from '@portolan/store';
import { sql, type Kysely } from 'kysely';
import type { Logger } from '@portolan/http';
import type { Tables } from '../tables.ts';
import { fromNow } from './admission.ts';

/** A turn in the hands of this node. */
export interface Hold {
  readonly turnId: string;
  /** Grows with every segment of a turn: who holds a smaller one has lost it. */
  readonly fence: number;
}

/** What a node needs to keep its turns. */
export interface LeaseOptions {
  readonly db: Kysely<Tables>;
  readonly segments: { readonly held: readonly Hold[]; stop(turnId: string, why?: Error): void };
  readonly leaseMs: number;
  readonly now: () => Date;
  readonly log: Logger;
}

/**
 * Says for all turns of this node at once that it lives, and hears which of them the visitor wants to stop. A turn that another node
 * has taken is let go; so are all of them when nothing could be said for a whole lease: others may have them by then.
 */
export function createLeases({ db, segments, leaseMs, now, log }: LeaseOptions) {
  let since = now();
  return {
    async renew(): Promise<void> {
      const { held } = segments;
      try {
        const at = now();
        if (held.length > 0) await renewAll(held);
        since = at;
      } catch (error) {
        log.warn({ err: error }, 'leases not renewed');
        if (now().getTime() - since.getTime() < leaseMs) return;
        for (const { turnId } of held) segments.stop(turnId, new LeaseLost(turnId));
      }
    },
  };

  /** Rows that somebody else is looking at are left for the next time: nobody is waited for. */
  async function renewAll(held: readonly Hold[]): Promise<void> {
    const { rows } = await sql<{ id: string; is_ours: boolean; stop_requested: boolean }>`
      with ours as (
        select * from json_to_recordset(${JSON.stringify(held)}::json) as row ("turnId" uuid, fence int)
      ), free as (
        select turn.id from turn join ours on ours."turnId" = turn.id and ours.fence = turn.fence
        where turn.status = 'running' for no key update of turn skip locked
      ), renewed as (
        update turn set lease_until = ${fromNow(leaseMs)} from free where turn.id = free.id
      )
      select ours."turnId" as id, turn.id is not null as is_ours, coalesce(turn.stop_requested, false) as stop_requested
      from ours left join turn on turn.id = ours."turnId" and turn.fence = ours.fence`.execute(db);
    for (const { id, is_ours, stop_requested } of rows) {
      if (stop_requested) segments.stop(id);
      if (!is_ours) segments.stop(id, new LeaseLost(id));
    }
  }
}
