import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { EditionKey } from './editions.ts';

/** For how long a preview can be looked at. */
export const PREVIEW_MS = 24 * 3_600_000;

/** An address at which an edition is looked at until `expiresAt`, epoch milliseconds. Nothing is kept of it: its parts are signed. */
export function previewPath(key: Buffer, { survey, edition }: EditionKey, expiresAt: number): string {
  const signed = `${survey}.${edition}.${expiresAt}`;
  return `/s/preview/${signed}.${signatureOf(key, signed).toString('base64url')}`;
}

/** The edition that the last part of such an address shows; undefined when it is over, or was not made with this key. */
export function editionPreviewed(key: Buffer, link: string, now: number): EditionKey | undefined {
  const read = Link.safeParse(link.split('.'));
  if (!read.success) return undefined;
  const [survey, edition, expiresAt, signature] = read.data;
  const given = Buffer.from(signature, 'base64url');
  const right = signatureOf(key, `${survey}.${edition}.${expiresAt}`);
  if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined;
  return expiresAt > now ? { survey, edition } : undefined;
}

const Link = z.tuple([z.uuid(), z.coerce.number().int(), z.coerce.number().int(), z.string().length(43)]);

function signatureOf(key: Buffer, signed: string): Buffer {
  return createHmac('sha256', key).update(signed).digest();
}
