import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { requireVersion } from '../versions/version.ts';
import { stamp, tell } from './events.ts';
import type { HypothesisStatus } from './tables.ts';

/** Something that may be true, and how much speaks for and against it. */
export interface Hypothesis {
  readonly id: string;
  readonly statement: string;
  readonly status: HypothesisStatus;
  /** 0 to 1. */
  readonly confidence: number;
  /** How many pieces of evidence speak for it. */
  readonly evidenceFor: number;
  readonly evidenceAgainst: number;
  readonly by: string;
  readonly at: Date;
  readonly version: number;
}

const count = (stance: string) =>
  sql`(select count(*)::int from agent_evidence e where e.hypothesis = h.id and e.stance = ${sql.lit(stance)})`;
const hypothesis: RawBuilder<Hypothesis> = sql<Hypothesis>`h.id, h.statement, h.status, h.confidence,
  ${count('for')} as "evidenceFor", ${count('against')} as "evidenceAgainst", h."by", h.at, h.version`;

/** What is supposed now. */
export type Supposition = Pick<Hypothesis, 'statement' | 'status' | 'confidence'>;

/** States a hypothesis, or states the one that was read anew. Throws a Refusal when it is not as it was read. */
export async function upsertHypothesis(
  tx: Transaction<SiteTables>,
  by: string,
  {
    known,
    said,
  }: {
    readonly known?: { readonly id: string; readonly expectedVersion: number } | undefined;
    readonly said: Supposition;
  },
  now: number,
): Promise<Hypothesis> {
  if (!known) {
    const first = stamp(by, now);
    await tx
      .insertInto('agent_hypothesis')
      .values({ ...first, ...said, version: 1 })
      .execute();
    await tell(tx, by, { kind: 'hypothesis', subject: first.id, what: 'created' }, now);
    return readHypothesis(tx, first.id);
  }
  const { id, expectedVersion } = known;
  const before = await tx
    .selectFrom('agent_hypothesis')
    .select('version')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw noHypothesis();
  requireVersion(before, expectedVersion);
  await tx
    .updateTable('agent_hypothesis')
    .set({ ...said, version: expectedVersion + 1 })
    .where('id', '=', id)
    .execute();
  await tell(tx, by, { kind: 'hypothesis', subject: id, what: said.status }, now);
  return readHypothesis(tx, id);
}

/** Hypotheses, the newest first. */
export function listHypotheses(
  db: Kysely<SiteTables>,
  asked: { readonly status?: HypothesisStatus | undefined },
  paging: Paging,
): Promise<Page<Hypothesis>> {
  const { status } = asked;
  return newestFirst(paging, 'hypotheses', asked, async (limit, before) => {
    const { rows } = await sql<Hypothesis>`select ${hypothesis} from agent_hypothesis h where true
      ${status === undefined ? sql`` : sql`and h.status = ${status}`}
      ${before === undefined ? sql`` : sql`and h.id < ${before}`}
      order by h.id desc limit ${limit}`.execute(db);
    return rows;
  });
}

/** One hypothesis. Throws a Refusal where there is none with this id. */
export async function readHypothesis(db: Kysely<SiteTables>, id: string): Promise<Hypothesis> {
  const { rows } = await sql<Hypothesis>`
    select ${hypothesis} from agent_hypothesis h where h.id = ${id}`.execute(db);
  const [found] = rows;
  if (!found) throw noHypothesis();
  return found;
}

/** Throws a Refusal where there is none with this id. */
export async function requireHypothesis(tx: Transaction<SiteTables>, id: string): Promise<void> {
  await readHypothesis(tx, id);
}

function noHypothesis(): Refusal {
  return new Refusal('not_found', 'There is no such hypothesis. Find ids with agent_hypothesis_list.');
}
