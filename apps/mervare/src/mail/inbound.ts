import { createHash } from 'node:crypto';
import { Refusal } from '@portolan/mcp/tool';
import { newId } from '@portolan/store';
import type { Kysely, Transaction } from 'kysely';
import type { SiteSecret } from '../secret/site-secret.ts';
import type { SiteTables } from '../tables.ts';
import { tellOwner } from './owner.ts';
import { letterAnswered, parseMessage, readIncoming, type Incoming } from './parse.ts';
import type { ReplyKind } from './tables.ts';

/**
 * Takes a raw message that came to the site: keeps it with the letter that it answers, once however often it is handed in, and ends
 * the letter that a mail server gave up. Throws a Refusal for a message that answers no letter of ours.
 */
export async function takeMessage(
  db: Kysely<SiteTables>,
  { secret, raw }: { readonly secret: SiteSecret; readonly raw: Buffer },
  now: number,
): Promise<{ readonly kind: ReplyKind }> {
  const mail = await parseMessage(raw);
  const letter = letterAnswered(secret, mail);
  const incoming = readIncoming(mail);
  const digest = createHash('sha256').update(raw).digest();
  const kept = letter !== undefined && (await keep(db, { letter, digest, incoming }, now));
  if (!kept) throw new Refusal('not_found', 'This message came to no reply address of a letter of ours.');
  return { kind: incoming.kind };
}

interface Arrival {
  readonly letter: string;
  readonly digest: Buffer;
  readonly incoming: Incoming;
}

/** False where the letter is not kept any more. */
function keep(
  db: Kysely<SiteTables>,
  { letter: id, digest, incoming }: Arrival,
  now: number,
): Promise<boolean> {
  const { reason, ...said } = incoming;
  return db.transaction().execute(async (tx) => {
    const letter = await tx
      .selectFrom('mail_letter')
      .select(['id', 'lane', 'key', 'state'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!letter) return false;
    const received = { received_at: new Date(now), handled_at: null, handled_by: null };
    const added = await tx
      .insertInto('mail_reply')
      .values({ id: newId(now), letter: id, ...said, digest, ...received })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!added) return true;
    if (said.kind === 'bounce') await bounce(tx, id, reason, now);
    await tellOwner(tx, letter, said.kind === 'bounce' ? 'bounced' : 'replied', now);
    return true;
  });
}

/** The report may be quicker than our own note that the letter was sent, or that is lost: then no further try is made. */
async function bounce(
  tx: Transaction<SiteTables>,
  id: string,
  reason: string | null,
  now: number,
): Promise<void> {
  await tx
    .updateTable('mail_letter')
    .set({ state: 'bounced', reason, subject: null, text: null, failed_at: new Date(now) })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'sending', 'sent'])
    .execute();
}
