import { Refusal } from '@portolan/mcp/tool';
import type { Transaction } from 'kysely';
import { withdrawMail } from '../mail/outbox.ts';
import type { SiteTables } from '../tables.ts';
import { holdInvitation, readInvitation, type Invitation } from './invitations.ts';
import { letterKey } from './letters.ts';
import { forgetUnfinished } from './unfinished.ts';

/**
 * Ends the links of an invitation for good, and what was half finished behind them, and calls its letter back where that has not left. Once
 * more changes nothing. Throws a Refusal for one that was answered: its link is used up already.
 */
export async function revokeInvitation(
  tx: Transaction<SiteTables>,
  id: string,
  now: number,
): Promise<Invitation> {
  const { state } = await holdInvitation(tx, id, now);
  if (state === 'answered')
    throw new Refusal('conflict', 'It was answered, so its link takes nothing any more.', { state });
  if (state !== 'revoked') {
    const revoked_at = new Date(now);
    await tx.updateTable('survey_invitation').set({ revoked_at }).where('id', '=', id).execute();
    await forgetUnfinished(tx, id);
    await withdrawMail(tx, letterKey(id));
  }
  return readInvitation(tx, id, now);
}
