import { createHmac, timingSafeEqual } from 'node:crypto';
import { PolicyDocument } from '@sveda-ai/protocol';
import { z } from 'zod';
import type { AppKeys } from './keys.ts';

/** What an embed token says. */
export const Claims = z.strictObject({
  visitor: z.string(),
  /** Unix seconds. */
  expires: z.int(),
  /** The token's id, by which it is revoked and its credentials are found. */
  id: z.string(),
  policy: z.string().optional(),
  grants: PolicyDocument.optional(),
});
export type Claims = z.infer<typeof Claims>;

const PREFIX = 'sveda_embed_';

/** Longest token, so that its header fits the 8 KiB that proxies take of one line. */
export const LONGEST_TOKEN = 7_168;

/** Signs claims: `sveda_embed_<key id>.<claims>.<HMAC-SHA256>`, both parts in base64url. */
export function signToken(claims: Claims, [key]: AppKeys): string {
  const body = `${key.id}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${PREFIX}${body}.${signature(body, key.signing)}`;
}

/** The claims of a token that one of the keys signed and that has not expired; undefined for anything else. */
export function readToken(token: string, keys: AppKeys, now: Date): Claims | undefined {
  if (token.length > LONGEST_TOKEN || !token.startsWith(PREFIX)) return undefined;
  const [keyId, claims, signed, ...more] = token.slice(PREFIX.length).split('.');
  const key = keys.find(({ id }) => id === keyId);
  if (!key || claims === undefined || signed === undefined || more.length > 0) return undefined;
  if (!sameText(signed, signature(`${keyId}.${claims}`, key.signing))) return undefined;
  const read = Claims.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')));
  return read.success && read.data.expires * 1000 > now.getTime() ? read.data : undefined;
}

function signature(body: string, key: Buffer): string {
  return createHmac('sha256', key).update(body).digest('base64url');
}

/** Compares what is written, for base64url lets several texts stand for the same bytes. */
function sameText(given: string, expected: string): boolean {
  const [left, right] = [Buffer.from(given), Buffer.from(expected)];
  return left.length === right.length && timingSafeEqual(left, right);
}
