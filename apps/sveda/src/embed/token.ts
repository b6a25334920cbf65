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

/** Longest token that is looked at. */
const LONGEST = 16_384;

/** Signs claims: `sveda_embed_<key id>.<claims>.<HMAC-SHA256>`, both parts in base64url. */
export function signToken(claims: Claims, [key]: AppKeys): string {
  const body = `${key.id}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${PREFIX}${body}.${signature(body, key.signing).toString('base64url')}`;
}

/** The claims of a token that one of the keys signed and that has not expired; undefined for anything else. */
export function readToken(token: string, keys: AppKeys, now: Date): Claims | undefined {
  if (token.length > LONGEST || !token.startsWith(PREFIX)) return undefined;
  const [keyId, claims, signed, ...more] = token.slice(PREFIX.length).split('.');
  const key = keys.find(({ id }) => id === keyId);
  if (!key || claims === undefined || signed === undefined || more.length > 0) return undefined;
  if (!sameBytes(Buffer.from(signed, 'base64url'), signature(`${keyId}.${claims}`, key.signing)))
    return undefined;
  const read = Claims.safeParse(JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')));
  return read.success && read.data.expires * 1000 > now.getTime() ? read.data : undefined;
}

function signature(body: string, key: Buffer): Buffer {
  return createHmac('sha256', key).update(body).digest();
}

function sameBytes(left: Buffer, right: Buffer): boolean {
  return left.length === right.length && timingSafeEqual(left, right);
}
