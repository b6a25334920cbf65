import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { Refusal } from '@portolan/mcp/tool';

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** What one guess costs: 32 MiB and a third of a second of one core, three times over 2^15 blocks. */
const cost = { N: 2 ** 15, r: 8, p: 3, maxmem: 64 * 1024 * 1024 };
const BYTES = 32;

/** Characters that a password has. Length is what makes one hard to guess (NIST SP 800-63B §3.1.1). */
export const passwordLength = { least: 12, most: 200 } as const;

/** A salted hash of a password, as it is kept. Throws a Refusal for one that is too short or too long. */
export async function hashPassword(password: string): Promise<string> {
  const { least, most } = passwordLength;
  if (password.length < least || password.length > most)
    throw new Refusal('invalid_input', `A password has ${least} to ${most} characters.`);
  const salt = randomBytes(16);
  const key = await derive(password.normalize('NFKC'), salt, BYTES, cost);
  return ['scrypt', cost.N, cost.r, cost.p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether this is the password. Without a kept hash it takes as long as with one, so that the time tells of no account. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (kept ?? nobody).split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: cost.maxmem };
  const given = password.slice(0, passwordLength.most + 1).normalize('NFKC');
  const found = await derive(given, Buffer.from(salt, 'base64url'), BYTES, options);
  return timingSafeEqual(found, Buffer.from(key, 'base64url')) && kept !== null;
}

/** Of the same shape and cost as every other, and of no password. */
const nobody = ['scrypt', cost.N, cost.r, cost.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$');

/** A password for somebody who did not choose one: 120 random bits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}
