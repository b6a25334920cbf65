import { createHash } from 'node:crypto';

/** What is kept of a token: the SHA-256 of its text. Tokens are long random strings, so no salt and no slow hash is needed. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
