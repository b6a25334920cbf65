import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SiteSecret } from '../secret/site-secret.ts';

/** Bytes of a mark's seal. It can only be tried online, against this site. */
const SEAL = 8;

/** A lower-case hexadecimal text that only the site can make of these bytes, and that needs no row to be read again. */
function markOf(key: Buffer, bytes: Buffer): string {
  return Buffer.concat([bytes, sealOf(key, bytes)]).toString('hex');
}

/** The bytes behind a mark, in whatever case it came; undefined for one that is not ours. */
function readMark(key: Buffer, mark: string): Buffer | undefined {
  if (!/^(?:[0-9a-f]{2}){9,100}$/i.test(mark)) return undefined;
  const all = Buffer.from(mark, 'hex');
  const bytes = all.subarray(0, -SEAL);
  return timingSafeEqual(all.subarray(-SEAL), sealOf(key, bytes)) ? bytes : undefined;
}

function sealOf(key: Buffer, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest().subarray(0, SEAL);
}

const keys = {
  reply: (secret: SiteSecret) => secret('mail replies'),
  unsubscribe: (secret: SiteSecret) => secret('mail unsubscribing'),
  suppression: (secret: SiteSecret) => secret('mail suppressions'),
};

/** What stands between the plus and the at of a letter's reply address. Mail servers may change its case. */
export function replyMark(secret: SiteSecret, letter: string): string {
  return markOf(keys.reply(secret), Buffer.from(letter.replaceAll('-', ''), 'hex'));
}

/** Characters of a reply mark. */
export const REPLY_MARK = 2 * (16 + SEAL);

/** The letter of a reply mark; undefined for one that is not ours. */
export function letterOf(secret: SiteSecret, mark: string): string | undefined {
  const id = mark.length === REPLY_MARK ? readMark(keys.reply(secret), mark)?.toString('hex') : undefined;
  return id?.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** What is remembered of an address that wants no letters: not the address. Case makes no other address. */
export function suppressionOf(secret: SiteSecret, address: string): Buffer {
  return createHmac('sha256', keys.suppression(secret)).update(address.trim().toLowerCase()).digest();
}

/** The end of the link by which the owner of an address unsubscribes. It works without any row. */
export function unsubscribeMark(secret: SiteSecret, address: string): string {
  return markOf(keys.unsubscribe(secret), suppressionOf(secret, address));
}

/** What an unsubscribe mark asks to remember; undefined for one that is not ours. */
export function unsubscribedBy(secret: SiteSecret, mark: string): Buffer | undefined {
  const suppression = readMark(keys.unsubscribe(secret), mark);
  return suppression?.length === 32 ? suppression : undefined;
}
