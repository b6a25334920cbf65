import { Refusal } from '@portolan/mcp/tool';
import type { Kysely, Transaction } from 'kysely';
import { tell } from './journal.ts';
import type { Member } from './member.ts';
import type { SiteTables } from '../tables.ts';

/** Whether the funding workspaces are paused, since when, by whom and why. */
export interface Security {
  readonly paused_at: Date | null;
  readonly paused_by: string | null;
  readonly reason: string | null;
}

/** How it stands now. */
export async function securityState(db: Kysely<SiteTables>): Promise<Security> {
  return db.selectFrom('funding_switch').selectAll().executeTakeFirstOrThrow();
}

/**
 * Lets a write go on: it takes the switch in share mode until its transaction ends, so a pause waits for it and stops every later one.
 * Throws a Refusal during a pause.
 */
export async function requireRunning(tx: Transaction<SiteTables>): Promise<void> {
  const { paused_at } = await tx
    .selectFrom('funding_switch')
    .select('paused_at')
    .forShare()
    .executeTakeFirstOrThrow();
  if (paused_at !== null)
    throw new Refusal(
      'unavailable',
      'The funding workspaces are paused: nothing can be written until a super admin calls funding_security_resume.',
    );
}

/** Stops every write and every credential of a grant at once. Pausing again changes nothing. */
export async function pause(
  tx: Transaction<SiteTables>,
  member: Member,
  reason: string,
  now: number,
): Promise<Security> {
  const before = await tx.selectFrom('funding_switch').selectAll().forUpdate().executeTakeFirstOrThrow();
  if (before.paused_at !== null) return before;
  const after = { paused_at: new Date(now), paused_by: member.by, reason };
  await tx.updateTable('funding_switch').set(after).execute();
  await tell(tx, member, { workspace: null, kind: 'security', subject: null, what: 'paused' }, now);
  return after;
}

/** Lets writes and credentials work again. Works during a pause, for that is what it is for. */
export async function resume(tx: Transaction<SiteTables>, member: Member, now: number): Promise<Security> {
  const before = await tx.selectFrom('funding_switch').selectAll().forUpdate().executeTakeFirstOrThrow();
  const after = { paused_at: null, paused_by: null, reason: null };
  if (before.paused_at === null) return after;
  await tx.updateTable('funding_switch').set(after).execute();
  await tell(tx, member, { workspace: null, kind: 'security', subject: null, what: 'resumed' }, now);
  return after;
}
