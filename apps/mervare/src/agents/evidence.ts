import { createHash } from 'node:crypto';
import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { stamp, tell } from './events.ts';
import { requireHypothesis } from './hypotheses.ts';
import type { Stance } from './tables.ts';

/** Something that an agent found, and where. */
export interface Evidence {
  readonly id: string;
  readonly source: string;
  readonly content: string;
  /** SHA-256 of the content, in hexadecimal digits. */
  readonly hash: string;
  readonly hypothesisId: string | null;
  readonly stance: Stance | null;
  readonly by: string;
  readonly at: Date;
}

const evidence: RawBuilder<Evidence> = sql<Evidence>`id, source, content, encode(hash, 'hex') as hash,
  hypothesis as "hypothesisId", stance, "by", at`;

/** What was found. */
export interface NewEvidence {
  readonly source: string;
  readonly content: string;
  /** What it speaks for or against. */
  readonly about?: { readonly hypothesisId: string; readonly stance: Stance } | undefined;
}

/** Adds evidence for good. The same content from the same source about the same hypothesis is there once: then that one is given. */
export async function addEvidence(
  tx: Transaction<SiteTables>,
  by: string,
  { source, content, about }: NewEvidence,
  now: number,
): Promise<Evidence> {
  if (about) await requireHypothesis(tx, about.hypothesisId);
  const hash = createHash('sha256').update(content).digest();
  const hypothesis = about?.hypothesisId ?? null;
  const added = await tx
    .insertInto('agent_evidence')
    .values({ ...stamp(by, now), source, content, hash, hypothesis, stance: about?.stance ?? null })
    .onConflict((conflict) => conflict.columns(['hash', 'source', 'hypothesis']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (added) await tell(tx, by, { kind: 'evidence', subject: added.id, what: 'added' }, now);
  const { rows } = await sql<Evidence>`select ${evidence} from agent_evidence
    where hash = ${hash} and source = ${source} and hypothesis is not distinct from ${hypothesis}`.execute(
    tx,
  );
  const [there] = rows;
  if (!there) throw new Error('The evidence is not there.');
  return there;
}

/** Which evidence is asked for. */
export interface EvidenceAsked {
  readonly hypothesisId?: string | undefined;
  readonly stance?: Stance | undefined;
  readonly source?: string | undefined;
}

/** Evidence, the newest first. */
export function listEvidence(
  db: Kysely<SiteTables>,
  asked: EvidenceAsked,
  paging: Paging,
): Promise<Page<Evidence>> {
  const { hypothesisId, stance, source } = asked;
  return newestFirst(paging, 'evidence', asked, async (limit, before) => {
    const { rows } = await sql<Evidence>`select ${evidence} from agent_evidence where true
      ${hypothesisId === undefined ? sql`` : sql`and hypothesis = ${hypothesisId}`}
      ${stance === undefined ? sql`` : sql`and stance = ${stance}`}
      ${source === undefined ? sql`` : sql`and source = ${source}`}
      ${before === undefined ? sql`` : sql`and id < ${before}`}
      order by id desc limit ${limit}`.execute(db);
    return rows;
  });
}

/** Throws a Refusal when one of these is not there. */
export async function requireEvidence(tx: Transaction<SiteTables>, ids: readonly string[]): Promise<void> {
  const { rows } = await sql`select from agent_evidence where id = any(${[...ids]}::uuid[])`.execute(tx);
  if (rows.length < new Set(ids).size)
    throw new Refusal('not_found', 'Not all of this evidence is there. Find ids with agent_evidence_list.');
}
