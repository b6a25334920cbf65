import type { ParsedMail } from 'mailparser';
import { LONGEST_REASON } from './lease.ts';
import { withoutLinks, wordsOf } from './words.ts';

/** What a mail server says of a letter that it had taken (RFC 3464). */
export interface Report {
  /** It has given up for good. Else it is late, or tells of success. */
  readonly failed: boolean;
  readonly reason: string | null;
}

/** Characters of the machine-readable part. */
const LONGEST = 64 * 1024;

/** The delivery status notification that a message is; undefined for any other message. */
export function readReport({ headers, attachments }: ParsedMail): Report | undefined {
  const type = headers.get('content-type');
  if (typeof type !== 'object' || !('value' in type) || type.value !== 'multipart/report') return undefined;
  const part = attachments.find(({ contentType }) =>
    /^message\/(?:global-)?delivery-status$/.test(contentType),
  );
  if (!part) return undefined;
  const recipients = part.content
    .toString('utf8')
    .slice(0, LONGEST)
    .split(/\r?\n[ \t]*\r?\n/)
    .map(fieldsOf);
  const failed = recipients.find((fields) => fields.get('action')?.toLowerCase() === 'failed');
  const told = failed ?? recipients.find((fields) => fields.has('action'));
  const words = [told?.get('status'), told?.get('diagnostic-code')].filter((one) => one !== undefined);
  return { failed: failed !== undefined, reason: wordsOf(withoutLinks(words.join(' ')), LONGEST_REASON) };
}

/** The fields of one block, unfolded, by their names in small letters. */
function fieldsOf(block: string): ReadonlyMap<string, string> {
  const lines = block.replaceAll(/\r?\n[ \t]+/g, ' ').split(/\r?\n/);
  return new Map(
    lines.flatMap((line): [string, string][] => {
      const at = line.indexOf(':');
      return at < 1 ? [] : [[line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]];
    }),
  );
}
