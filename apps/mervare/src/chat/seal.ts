import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE = 12;
const TAG = 16;

/** Encrypts a text for the database (AES-256-GCM) under a key that only the site can derive. */
export function seal(secret: string, text: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The text again. Throws for bytes that `seal` did not make with this secret. */
export function unseal(secret: string, bytes: Buffer): string {
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, NONCE));
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
}

/** The secret signs cookies too: each purpose has a key of its own (RFC 5869). */
function keyOf(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'mervare embed token', 32));
}
