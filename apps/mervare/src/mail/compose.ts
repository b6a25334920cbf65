import MailComposer from 'nodemailer/lib/mail-composer';
import type { SiteSecret } from '../secret/site-secret.ts';
import { replyMark, unsubscribeMark } from './marks.ts';
import type { NewLetter } from './outbox.ts';
import type { Sender } from './sender.ts';

/** What every letter of the site needs to be written. */
export interface Letterhead {
  readonly from: Sender;
  /** Of the site, for the links to unsubscribe. */
  readonly origin: string;
  readonly secret: SiteSecret;
}

/** A letter as it goes over the wire, the same at every try. */
export interface Written {
  readonly id: string;
  readonly envelope: { readonly from: string; readonly to: string };
  readonly message: Buffer;
}

/**
 * Writes a letter (RFC 5322). Replies and reports of mail servers come back to an address that belongs to this letter alone; the
 * Message-ID is the same at every try, so that a receiver can tell a repetition; one click unsubscribes (RFC 8058).
 */
export async function writeLetter(
  { from, origin, secret }: Letterhead,
  letter: Pick<NewLetter, 'to' | 'subject' | 'text'> & { readonly id: string; readonly queuedAt: Date },
): Promise<Written> {
  const reply = `${from.local}+${replyMark(secret, letter.id)}@${from.domain}`;
  const unsubscribe = new URL(`/mail/unsubscribe/${unsubscribeMark(secret, letter.to)}`, origin).href;
  const composer = new MailComposer({
    from: { name: from.name, address: `${from.local}@${from.domain}` },
    to: { name: '', address: letter.to },
    replyTo: reply,
    subject: letter.subject,
    messageId: `<${letter.id}@${from.domain}>`,
    date: letter.queuedAt,
    text: letter.text,
    headers: {
      // On one line: not every mail program unfolds it.
      'List-Unsubscribe': { prepared: true, value: `<${unsubscribe}>` },
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
    newline: 'win',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    id: letter.id,
    envelope: { from: reply, to: letter.to },
    message: await composer.compile().build(),
  };
}
