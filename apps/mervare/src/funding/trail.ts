import { sql, type Kysely, type SqlBool } from 'kysely';
import { z } from 'zod';
import { keyOf } from '../paging/cursor.ts';
import { cut, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';

/** One write of the funding family, as the audit trail has it. */
export interface AuditedWrite {
  readonly at: Date;
  readonly credential: string;
  readonly who: string;
  readonly tool: string;
  readonly ids: string[];
}

/** Which writes are asked for. */
export interface TrailAsked {
  /** Id of something that they were about. */
  readonly about?: string | undefined;
}

/** The writes to the funding workspaces, the latest first. */
export async function fundingTrail(
  db: Kysely<SiteTables>,
  asked: TrailAsked,
  { limit, cursor }: Paging,
): Promise<Page<AuditedWrite>> {
  const [before] = cursor === undefined ? [] : keyOf(cursor, asked, z.tuple([z.int()]));
  const rows = await db
    .selectFrom('audit')
    .select(['n', 'at', 'credential', 'who', 'action as tool', 'ids'])
    .where('action', 'like', String.raw`funding\_%`)
    .$if(asked.about !== undefined, (all) => all.where(sql<SqlBool>`ids @> array[${asked.about}]::text[]`))
    .$if(before !== undefined, (all) => all.where('n', '<', before ?? 0))
    .orderBy('n', 'desc')
    .limit(limit + 1)
    .execute();
  return cut(rows, limit, ({ n }) => [n], asked);
}
