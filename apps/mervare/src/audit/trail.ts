import { sql, type Kysely, type SqlBool } from 'kysely';
import { z } from 'zod';
import { keyOf } from '../paging/cursor.ts';
import { cut, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';

/** One write by a tool, as the audit trail has it. */
export interface AuditedWrite {
  readonly at: Date;
  readonly credential: string;
  readonly who: string;
  readonly tool: string;
  readonly ids: string[];
}

/** Which writes are asked for. */
export interface TrailAsked {
  /** How the names of the tools begin, such as `funding_`. */
  readonly prefix: string;
  /** Id of something that they were about. */
  readonly about?: string | undefined;
}

/** Writes by tools, the latest first. */
export async function auditTrail(
  db: Kysely<SiteTables>,
  asked: TrailAsked,
  { limit, cursor }: Paging,
): Promise<Page<AuditedWrite>> {
  const [before] = cursor === undefined ? [] : keyOf(cursor, asked, z.tuple([z.int()]));
  const rows = await db
    .selectFrom('audit')
    .select(['n', 'at', 'credential', 'who', 'action as tool', 'ids'])
    .where(sql<SqlBool>`starts_with(action, ${asked.prefix})`)
    .$if(asked.about !== undefined, (all) => all.where(sql<SqlBool>`ids @> array[${asked.about}]::text[]`))
    .$if(before !== undefined, (all) => all.where('n', '<', before ?? 0))
    .orderBy('n', 'desc')
    .limit(limit + 1)
    .execute();
  const page = cut(rows, limit, ({ n }) => [n], asked);
  const writes = page.rows.map(({ at, credential, who, tool, ids }) => ({ at, credential, who, tool, ids }));
  return { ...page, rows: writes };
}
