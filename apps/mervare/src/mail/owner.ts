import type { Transaction } from 'kysely';
import { tell } from '../agents/events.ts';
import type { SiteTables } from '../tables.ts';
import type { Lane } from './tables.ts';

const AGENT_MAIL = 'agent_mail:';

/** The key of the letter of an agent. */
export function agentMailKey(id: string): string {
  return `${AGENT_MAIL}${id}`;
}

/** Tells the agents what became of a letter of theirs, in the transaction in which it does. */
export async function tellOwner(
  tx: Transaction<SiteTables>,
  { lane, key }: { readonly lane: Lane; readonly key: string },
  what: string,
  now: number,
): Promise<void> {
  if (lane !== 'agents') return;
  await tell(tx, 'site:mail', { kind: 'mail', subject: key.slice(AGENT_MAIL.length), what }, now);
}
