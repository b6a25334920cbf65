import { Refusal } from '@portolan/mcp/tool';
import { enqueue, newId } from '@portolan/store';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { SiteTables } from '../tables.ts';
import { isStorable } from '../text/storable.ts';
import type { Lane } from './tables.ts';

/** How often a delivery is tried: with the pauses between, over four days, as RFC 5321 §4.5.4.1 wants it. */
export const MAX_ATTEMPTS = 32;

/** Characters of a letter. */
export const LONGEST_SUBJECT = 300;
export const LONGEST_TEXT = 50_000;

/** A letter to one person. Each carries an address of its own for replies, and a way to unsubscribe. */
export interface NewLetter {
  readonly lane: Lane;
  /** What it is for, such as `invitation:<id>`: under one key a letter is queued once. */
  readonly key: string;
  /** Address of the person, without a name. */
  readonly to: string;
  /** One line. */
  readonly subject: string;
  /** Plain text. Kept until the letter has left. */
  readonly text: string;
}

/** The queue of the store that holds the deliveries of a lane. */
export function queueOf(lane: Lane): string {
  return `mail.${lane}`;
}

/**
 * Queues a letter in the caller's transaction and answers its id; the id of the earlier one where the key was used before.
 * Throws a Refusal for an address or a text that cannot be sent.
 */
export async function enqueueMail(
  tx: Transaction<SiteTables>,
  { lane, key, to, subject, text }: NewLetter,
  now: number,
): Promise<string> {
  requireSendable({ to, subject, text });
  const id = newId(now);
  const queued_at = new Date(now);
  const added = await tx
    .insertInto('mail_letter')
    .values({ id, lane, key, addressee: to, subject, text, state: 'queued', queued_at, attempts: 0 })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!added) return earlier(tx, key);
  // One more than a letter may have: our own rule must speak before the store's.
  await enqueue(tx, { id, queue: queueOf(lane), payload: null, maxAttempts: MAX_ATTEMPTS + 1 }, queued_at);
  return id;
}

/**
 * Calls the letter of a key back, in the caller's transaction: its text goes, and no try is begun any more. One that a mail server
 * takes at this very moment is sent all the same, and is then said to be.
 */
export async function withdrawMail(tx: Transaction<SiteTables>, key: string): Promise<void> {
  await tx
    .updateTable('mail_letter')
    .set({ state: 'withdrawn', reason: null, subject: null, text: null })
    .where('key', '=', key)
    .where('state', 'in', ['queued', 'sending'])
    .execute();
}

const Address = z.email().max(254);

/** Throws a Refusal for what must not reach a mail server: a line break in a header would begin another one. */
export function requireSendable({ to, subject, text }: Pick<NewLetter, 'to' | 'subject' | 'text'>): void {
  if (!Address.safeParse(to).success)
    throw new Refusal('invalid_input', 'This is not one e-mail address without a name.');
  if (subject === '' || subject.length > LONGEST_SUBJECT || /\p{Cc}/u.test(subject) || !isStorable(subject))
    throw new Refusal(
      'invalid_input',
      `The subject must be one line of 1 to ${LONGEST_SUBJECT} characters, without control characters.`,
    );
  if (text === '' || text.length > LONGEST_TEXT || !isStorable(text))
    throw new Refusal(
      'invalid_input',
      `The text must have 1 to ${LONGEST_TEXT} characters, none of them U+0000.`,
    );
}

async function earlier(tx: Transaction<SiteTables>, key: string): Promise<string> {
  const { id } = await tx
    .selectFrom('mail_letter')
    .select('id')
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return id;
}
