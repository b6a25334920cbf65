import { Refusal } from '@portolan/mcp/tool';
import { sql, type Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';
import { stamp, tell } from './events.ts';
import type { AgentTables, RunOutcome, Verdict } from './tables.ts';

/** One run of an agent, after it has ended. */
export interface Run {
  readonly id: string;
  readonly goal: string;
  readonly outcome: RunOutcome;
  readonly summary: string;
  readonly startedAt: Date;
  readonly endedAt: Date;
  readonly by: string;
}

/** Keeps the record of a run, for good. Throws a Refusal for one that ends before it begins or in the future. */
export async function recordRun(
  tx: Transaction<SiteTables>,
  by: string,
  { startedAt, endedAt, ...said }: Omit<Run, 'id' | 'by'>,
  now: number,
): Promise<Run> {
  if (startedAt > endedAt || endedAt.getTime() > now)
    throw new Refusal('invalid_input', 'A run starts before it ends, and has ended when it is recorded.');
  const first = { ...stamp(by, now), ...said };
  await tx
    .insertInto('agent_run')
    .values({ ...first, started_at: startedAt, ended_at: endedAt })
    .execute();
  await tell(tx, by, { kind: 'run', subject: first.id, what: said.outcome }, now);
  return { id: first.id, by, ...said, startedAt, endedAt };
}

/** Whether something in the control plane stood a test, and which. */
export interface Verification {
  readonly id: string;
  readonly subjectKind: AgentTables['agent_verification']['subject_kind'];
  readonly subject: string;
  readonly verdict: Verdict;
  readonly method: string;
  readonly by: string;
  readonly at: Date;
}

/** Keeps a verification, for good. Throws a Refusal for a subject that is not there, and to whoever made it. */
export async function recordVerification(
  tx: Transaction<SiteTables>,
  by: string,
  { subjectKind, ...said }: Omit<Verification, 'id' | 'by' | 'at'>,
  now: number,
): Promise<Verification> {
  const { rows } = await sql<{ by: string }>`
    select "by" from ${sql.table(`agent_${subjectKind}`)} where id = ${said.subject}`.execute(tx);
  const [subject] = rows;
  if (!subject) throw new Refusal('not_found', `There is no such ${subjectKind}.`);
  if (subject.by === by)
    throw new Refusal('forbidden', 'Whoever made something does not verify it: somebody else must.');
  const first = { ...stamp(by, now), ...said };
  await tx
    .insertInto('agent_verification')
    .values({ ...first, subject_kind: subjectKind })
    .execute();
  await tell(tx, by, { kind: 'verification', subject: first.id, what: said.verdict }, now);
  return { ...first, subjectKind };
}
