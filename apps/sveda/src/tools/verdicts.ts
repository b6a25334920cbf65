import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../tables.ts';

/** Hosts that asked for revision 2026-07-28 in their refusal of the older handshake, each with the date of that verdict. */
export interface Verdicts {
  /** True when this host asked for it lately. */
  asksForNewest(url: string): Promise<boolean>;
  keep(url: string): Promise<void>;
  forget(url: string): Promise<void>;
}

/** How long a verdict counts: a host that goes back is found out at the next start anyway. */
const DAYS = 7;

export function verdictStore(db: Kysely<Tables>, now: () => Date): Verdicts {
  const since = (): Date => new Date(now().getTime() - DAYS * 86_400_000);
  return {
    async asksForNewest(url) {
      const row = await db
        .selectFrom('host_verdict')
        .select('decided_at')
        .where('url_hash', '=', hash(url))
        .where('decided_at', '>', since())
        .executeTakeFirst();
      return row !== undefined;
    },
    async keep(url) {
      await db.deleteFrom('host_verdict').where('decided_at', '<=', since()).execute();
      const decided_at = now();
      await db
        .insertInto('host_verdict')
        .values({ url_hash: hash(url), decided_at })
        .onConflict((on) => on.column('url_hash').doUpdateSet({ decided_at }))
        .execute();
    },
    async forget(url) {
      await db.deleteFrom('host_verdict').where('url_hash', '=', hash(url)).execute();
    },
  };
}

/** Addresses of hosts are credentials to some: they are not kept in the clear. */
function hash(url: string): Buffer {
  return createHash('sha256').update(url).digest();
}
