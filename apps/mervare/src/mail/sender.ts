import { z } from 'zod';
import { REPLY_MARK } from './marks.ts';

/** Who letters come from. */
export interface Sender {
  readonly name: string;
  readonly local: string;
  readonly domain: string;
}

/** Octets before the at (RFC 5321 §4.5.3.1.1), less a plus and a reply mark. */
const LONGEST_LOCAL = 64 - 1 - REPLY_MARK;

const Address = z.email().max(200);

/** Reads `Name <address>` or an address alone; undefined for anything from which no reply address can be made. */
export function readSender(text: string): Sender | undefined {
  const [, name, bracketed] = /^([^<>"\p{Cc}]{0,100})<([^<>]+)>$/u.exec(text) ?? [];
  const address = bracketed ?? text;
  if (!Address.safeParse(address).success) return undefined;
  const [local = '', domain = ''] = address.split('@');
  if (local.length > LONGEST_LOCAL || local.includes('+')) return undefined;
  return { name: name?.trim() ?? '', local, domain };
}

/** What a wrong one must be, after the name of the setting. */
export const NOT_A_SENDER = `must be an address, or Name <address>, with at most ${LONGEST_LOCAL} characters and no + before the @`;
