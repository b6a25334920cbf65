import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { HttpProblem } from '@portolan/http';
import { Refusal } from '@portolan/mcp/tool';
import pLimit from 'p-limit';

const scryptOf = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);

/** Of the four threads that Node has for this: the others go on reading files and looking up names. */
const turn = pLimit(2);
/** Under way and waiting, some five seconds of work. More than one network may ask for at once. */
const MOST = 32;

/** Throws a 503 where too many wait: guesses from everywhere must not hold up everything else. */
async function derive(
  password: string,
  salt: Buffer,
  bytes: number,
  options: ScryptOptions,
): Promise<Buffer> {
  if (turn.activeCount + turn.pendingCount >= MOST) throw busy();
  return turn(() => scryptOf(password, salt, bytes, options));
}

function busy(): HttpProblem {
  return new HttpProblem(503, 'busy', 'Too many people sign in at this moment; try again.', {
    'retry-after': '5',
  });
}

/** What one guess costs, as every kept hash says of itself. */
export type Cost = Required<Pick<ScryptOptions, 'N' | 'r' | 'p'>>;

/** 32 MiB and a third of a second of one core, three times over 2^15 blocks. */
const dear: Cost = { N: 2 ** 15, r: 8, p: 3 };
const MAX_BYTES = 64 * 1024 * 1024;
const BYTES = 32;

/** Characters that a password has. Length is what makes one hard to guess (NIST SP 800-63B §3.1.1). */
export const passwordLength = { least: 12, most: 200 } as const;

/**
 * A salted hash of a password, as it is kept. Throws a Refusal for one that is too short or too long. Only tests, in which many sign in who
 * are not attacked, ask for less than the dear one.
 */
export async function hashPassword(password: string, { N, r, p }: Cost = dear): Promise<string> {
  const { least, most } = passwordLength;
  if (password.length < least || password.length > most)
    throw new Refusal('invalid_input', `A password has ${least} to ${most} characters.`);
  const salt = randomBytes(16);
  const key = await derive(password.normalize('NFKC'), salt, BYTES, { N, r, p, maxmem: MAX_BYTES });
  return ['scrypt', N, r, p, salt.toString('base64url'), key.toString('base64url')].join('$');
}

/** Whether this is the password. Without a kept hash it takes as long as with one, so that the time tells of no account. */
export async function isPassword(password: string, kept: string | null): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (kept ?? nobody).split('$');
  const options = { N: Number(N), r: Number(r), p: Number(p), maxmem: MAX_BYTES };
  const given = password.slice(0, passwordLength.most + 1).normalize('NFKC');
  const found = await derive(given, Buffer.from(salt, 'base64url'), BYTES, options);
  return timingSafeEqual(found, Buffer.from(key, 'base64url')) && kept !== null;
}

/** Of the same shape and cost as every other, and of no password. */
const nobody = ['scrypt', dear.N, dear.r, dear.p, 'AAAAAAAAAAAAAAAAAAAAAA', 'A'.repeat(43)].join('$');

/** A password for somebody who did not choose one: 120 random bits. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url');
}
