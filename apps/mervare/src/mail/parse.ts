import { Refusal } from '@portolan/mcp/tool';
import { simpleParser, type Attachment, type ParsedMail } from 'mailparser';
import { letterOf, REPLY_MARK } from './marks.ts';
import { readReport } from './report.ts';
import type { SiteSecret } from '../secret/site-secret.ts';
import type { ReplyKind } from './tables.ts';
import { withoutLinks, wordsOf } from './words.ts';

/** A message that came back. */
export interface Incoming {
  readonly kind: ReplyKind;
  readonly sender: string | null;
  readonly subject: string | null;
  readonly text: string | null;
  /** The text was longer. */
  readonly cut: boolean;
  /** Files that came along; they are not kept. */
  readonly attachments: number;
  /** Of a bounce: what the mail server reported. */
  readonly reason: string | null;
}

/** What a message may cost us. Bytes, characters and parts. */
const limits = { maxHeadSize: 256 * 1024, maxChildNodes: 200, maxHtmlLengthToParse: 200_000 };
const LONGEST_SENDER = 320;
const LONGEST_SUBJECT = 500;
const LONGEST_TEXT = 20_000;
/** Addresses of one message that are looked at. */
const MOST_ADDRESSES = 50;

/** Parses a raw message. Throws a Refusal for what is none, or is built to be expensive. */
export async function parseMessage(raw: Buffer): Promise<ParsedMail> {
  try {
    return await simpleParser(raw, {
      ...limits,
      skipImageLinks: true,
      skipTextToHtml: true,
      skipTextLinks: true,
      keepDeliveryStatus: true,
      ignoreEmbedded: true,
      checksumAlgo: false,
    });
  } catch {
    throw new Refusal('invalid_input', 'This is not a message that can be read.');
  }
}

/** The header fields that name whom a message came to: what its author wrote, and what mail servers on its way wrote. */
const RECIPIENTS = new Set(['to', 'cc', 'delivered-to', 'x-original-to', 'envelope-to', 'x-forwarded-to']);

/** The letter that a message answers: the first whose reply address it came to. */
export function letterAnswered(secret: SiteSecret, { headerLines }: ParsedMail): string | undefined {
  const lines = headerLines.filter(({ key }) => RECIPIENTS.has(key)).map(({ line }) => line);
  const mark = new RegExp(`\\+([0-9a-f]{${REPLY_MARK}})@`, 'gi');
  for (const [, found = ''] of [...lines.join('\n').matchAll(mark)].slice(0, MOST_ADDRESSES)) {
    const letter = letterOf(secret, found);
    if (letter !== undefined) return letter;
  }
  return undefined;
}

/** What is kept of a message. */
export function readIncoming(mail: ParsedMail): Incoming {
  const report = readReport(mail);
  const text = withoutLinks((mail.text ?? '').trim());
  return {
    kind: report?.failed === true ? 'bounce' : isAutomatic(mail) || report ? 'automatic' : 'reply',
    sender: wordsOf(mail.from?.value[0]?.address, LONGEST_SENDER),
    subject: wordsOf(withoutLinks(mail.subject ?? ''), LONGEST_SUBJECT),
    text: wordsOf(text, LONGEST_TEXT),
    cut: text.length > LONGEST_TEXT,
    attachments: mail.attachments.filter(isFile).length,
    reason: report?.reason ?? null,
  };
}

/** Written by a machine (RFC 3834 §5, and what older ones do instead). */
function isAutomatic({ headers }: ParsedMail): boolean {
  const said = (name: string) => {
    const value = headers.get(name);
    return typeof value === 'string' ? value.toLowerCase() : '';
  };
  const submitted = said('auto-submitted');
  if (submitted !== '' && !submitted.startsWith('no')) return true;
  return headers.has('x-autoreply') || /^(bulk|junk|list|auto_reply)$/.test(said('precedence'));
}

function isFile({ contentType }: Attachment): boolean {
  return !/^message\/(?:global-)?(?:delivery-status|rfc822)$/.test(contentType);
}
