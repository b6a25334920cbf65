import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { siteSecret } from '../secret/site-secret.ts';

const NONCE = 12;
const TAG = 16;

/** Encrypts a text for the database (AES-256-GCM) under a key that only who has the secret can derive. */
export function seal(secret: string, text: string, purpose: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', siteSecret(secret)(purpose), nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
}

/** The text again. Throws for bytes that `seal` did not make with this secret for this purpose. */
export function unseal(secret: string, bytes: Buffer, purpose: string): string {
  const decipher = createDecipheriv('aes-256-gcm', siteSecret(secret)(purpose), bytes.subarray(0, NONCE));
  decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
  return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
}
