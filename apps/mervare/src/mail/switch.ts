import type { Kysely, Transaction } from 'kysely';
import type { SiteTables } from '../tables.ts';

/** Whether the agents’ letters are stopped, since when, by whom and why. Letters of surveys never are. */
export interface AgentsSwitch {
  readonly paused_at: Date | null;
  readonly paused_by: string | null;
  readonly reason: string | null;
}

const columns = ['paused_at', 'paused_by', 'reason'] as const;

/** How it stands now. */
export function agentsSwitch(db: Kysely<SiteTables>): Promise<AgentsSwitch> {
  return db.selectFrom('mail_switch').select(columns).executeTakeFirstOrThrow();
}

/**
 * True while the agents’ letters may go out. The caller’s transaction holds the switch in share mode, so a pause waits for it, and after
 * the pause no delivery begins.
 */
export async function holdRunning(tx: Transaction<SiteTables>): Promise<boolean> {
  const { paused_at } = await tx
    .selectFrom('mail_switch')
    .select('paused_at')
    .forShare()
    .executeTakeFirstOrThrow();
  return paused_at === null;
}

/** How many of the agents’ letters are on their way to the mail server at this moment: a pause cannot call them back. */
export async function agentsSending(db: Kysely<SiteTables>): Promise<number> {
  const { sending } = await db
    .selectFrom('mail_letter')
    .select((letters) => letters.fn.countAll<number>().as('sending'))
    .where('lane', '=', 'agents')
    .where('state', '=', 'sending')
    .executeTakeFirstOrThrow();
  return sending;
}

/** Stops the agents’ letters at once: none is begun any more. Pausing again changes nothing. */
export async function pauseAgents(
  tx: Transaction<SiteTables>,
  by: string,
  reason: string,
  now: number,
): Promise<AgentsSwitch> {
  const before = await hold(tx);
  if (before.paused_at !== null) return before;
  const after = { paused_at: new Date(now), paused_by: by, reason };
  await tx.updateTable('mail_switch').set(after).execute();
  return after;
}

/** Lets the agents’ letters go out again, those that have waited too. */
export async function resumeAgents(tx: Transaction<SiteTables>): Promise<AgentsSwitch> {
  await hold(tx);
  const after = { paused_at: null, paused_by: null, reason: null };
  await tx.updateTable('mail_switch').set(after).execute();
  return after;
}

function hold(tx: Transaction<SiteTables>): Promise<AgentsSwitch> {
  return tx.selectFrom('mail_switch').select(columns).forUpdate().executeTakeFirstOrThrow();
}
