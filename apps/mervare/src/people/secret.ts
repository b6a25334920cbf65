import { createHash, randomBytes } from 'node:crypto';

/** A new secret of 256 random bits, after a prefix that says what it is. */
export function newSecret(prefix = ''): string {
  return `${prefix}${randomBytes(32).toString('base64url')}`;
}

/** What is kept of a secret that has 256 random bits: SHA-256, without salt, so that an index finds it. */
export function hashOf(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
