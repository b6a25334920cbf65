import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { AppKeys } from './keys.ts';

/** The host's MCP endpoint and the visitor's bearer there. */
export interface HostCredentials {
  readonly url: string;
  readonly token: string;
}

const NONCE = 12;
const TAG = 16;

/** Seals credentials with AES-256-GCM, bound to the embed token that they came with. */
export function seal(credentials: HostCredentials, tokenId: string, [key]: AppKeys): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key.sealing, nonce).setAAD(Buffer.from(tokenId));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(credentials), 'utf8'), cipher.final()]);
  return Buffer.concat([Buffer.from(key.id, 'hex'), nonce, cipher.getAuthTag(), sealed]);
}

/** Opens what `seal` made for this token. Undefined when no key in force sealed it; throws when it was changed. */
export function unseal(sealed: Buffer, tokenId: string, keys: AppKeys): HostCredentials | undefined {
  const key = keys.find(({ id }) => id === sealed.subarray(0, 4).toString('hex'));
  if (!key) return undefined;
  const nonce = sealed.subarray(4, 4 + NONCE);
  const tag = sealed.subarray(4 + NONCE, 4 + NONCE + TAG);
  const decipher = createDecipheriv('aes-256-gcm', key.sealing, nonce)
    .setAAD(Buffer.from(tokenId))
    .setAuthTag(tag);
  const opened = Buffer.concat([decipher.update(sealed.subarray(4 + NONCE + TAG)), decipher.final()]);
  return JSON.parse(opened.toString('utf8')) as HostCredentials;
}
