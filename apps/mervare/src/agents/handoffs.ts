import { Refusal } from '@portolan/mcp/tool';
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely';
import { newestFirst, type Page, type Paging } from '../paging/page.ts';
import type { SiteTables } from '../tables.ts';
import { requireAddressee } from './addressee.ts';
import { requireEvidence } from './evidence.ts';
import { stamp, tell } from './events.ts';
import { requireHypothesis } from './hypotheses.ts';
import type { HandoffState } from './tables.ts';

/** Work that one agent hands to another: without a word of what it rests on. */
export interface Handoff {
  readonly id: string;
  readonly addressee: string;
  readonly title: string;
  readonly body: string;
  readonly state: HandoffState;
  readonly leaseUntil: Date | null;
  readonly result: string | null;
  readonly by: string;
  readonly at: Date;
  readonly endedAt: Date | null;
  readonly version: number;
}

/** The same for those who share the whole control plane, with the ids of what it rests on. */
export interface GroundedHandoff extends Handoff {
  readonly hypothesisId: string | null;
  readonly evidenceIds: string[];
}

export const handoff: RawBuilder<Handoff> = sql<Handoff>`h.id, h.addressee, h.title, h.body, h.state,
  h.lease_until as "leaseUntil", h.result, h."by", h.at, h.ended_at as "endedAt", h.version`;

const grounded: RawBuilder<GroundedHandoff> = sql<GroundedHandoff>`${handoff}, h.hypothesis as "hypothesisId",
  array(select evidence::text from agent_handoff_evidence e where e.handoff = h.id order by 1) as "evidenceIds"`;

/** What is handed over, to whom. */
export interface NewHandoff {
  readonly to: string;
  readonly title: string;
  readonly body: string;
  readonly hypothesisId?: string | undefined;
  readonly evidenceIds: readonly string[];
}

/** Hands something over. Throws a Refusal for an addressee, a hypothesis or evidence that is not known. */
export async function createHandoff(
  tx: Transaction<SiteTables>,
  by: string,
  { to, title, body, hypothesisId, evidenceIds }: NewHandoff,
  now: number,
): Promise<GroundedHandoff> {
  await requireAddressee(tx, to);
  if (hypothesisId !== undefined) await requireHypothesis(tx, hypothesisId);
  await requireEvidence(tx, evidenceIds);
  const first = stamp(by, now);
  await tx
    .insertInto('agent_handoff')
    .values({
      ...first,
      addressee: to,
      title,
      body,
      hypothesis: hypothesisId ?? null,
      state: 'open',
      version: 1,
    })
    .execute();
  const links = [...new Set(evidenceIds)].map((evidence) => ({ handoff: first.id, evidence }));
  if (links.length > 0) await tx.insertInto('agent_handoff_evidence').values(links).execute();
  await tell(tx, by, { kind: 'handoff', subject: first.id, what: 'created' }, now);
  const { rows } = await sql<GroundedHandoff>`
    select ${grounded} from agent_handoff h where h.id = ${first.id}`.execute(tx);
  const [created] = rows;
  if (!created) throw new Error('The handoff is not there.');
  return created;
}

/** Which handoffs are asked for. */
export interface HandoffsAsked {
  readonly state?: HandoffState | undefined;
  readonly to?: string | undefined;
  readonly by?: string | undefined;
}

/** Handoffs of everybody, the newest first. */
export function listHandoffs(
  db: Kysely<SiteTables>,
  asked: HandoffsAsked,
  paging: Paging,
): Promise<Page<GroundedHandoff>> {
  const { state, to, by } = asked;
  return newestFirst(paging, 'handoffs', asked, async (limit, before) => {
    const { rows } = await sql<GroundedHandoff>`select ${grounded} from agent_handoff h where true
      ${state === undefined ? sql`` : sql`and h.state = ${state}`}
      ${to === undefined ? sql`` : sql`and h.addressee = ${to}`}
      ${by === undefined ? sql`` : sql`and h."by" = ${by}`}
      ${before === undefined ? sql`` : sql`and h.id < ${before}`}
      order by h.id desc limit ${limit}`.execute(db);
    return rows;
  });
}

/** Says that it cannot go on, for good. For whoever made it and whoever it is addressed to. */
export async function blockHandoff(
  tx: Transaction<SiteTables>,
  by: string,
  said: { readonly id: string; readonly reason: string },
  now: number,
): Promise<Handoff> {
  const { rows } = await sql<Handoff>`
    select ${handoff} from agent_handoff h where h.id = ${said.id} for update`.execute(tx);
  const [before] = rows;
  if (!before) throw noHandoff();
  if (before.by !== by && before.addressee !== by)
    throw new Refusal('forbidden', 'Only who made it or who it is addressed to can block it.');
  if (before.state === 'done' || before.state === 'blocked') throw ended(before);
  return finish(tx, by, before, { state: 'blocked', result: said.reason }, now);
}

/** Ends a handoff that is held. */
export async function finish(
  tx: Transaction<SiteTables>,
  by: string,
  before: Handoff,
  outcome: { readonly state: 'done' | 'blocked'; readonly result: string },
  now: number,
): Promise<Handoff> {
  const version = before.version + 1;
  await tx
    .updateTable('agent_handoff')
    .set({ ...outcome, lease_until: null, ended_at: new Date(now), version })
    .where('id', '=', before.id)
    .execute();
  await tell(tx, by, { kind: 'handoff', subject: before.id, what: outcome.state }, now);
  return { ...before, ...outcome, leaseUntil: null, endedAt: new Date(now), version };
}

export function noHandoff(): Refusal {
  return new Refusal('not_found', 'There is no such handoff.');
}

export function ended({ state, version }: Handoff): Refusal {
  return new Refusal('conflict', `It is ${state} already.`, { state, version });
}
