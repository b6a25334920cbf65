import type { Readable } from 'node:stream';
import { LIMITS } from './limits.ts';

/** The end of what a starting process writes to stderr. */
export interface Tail {
  /** Redacted, and cut to its last 8 KiB. */
  text(): string;
  /** Forgets it, and lets everything further run through unread. */
  forget(): void;
}

/** Keeps the end of a stream in memory. `secrets` never appear in its text. */
export function keepTail(stream: Readable, secrets: readonly string[]): Tail {
  let chunks: Buffer[] = [];
  let size = 0;
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    // Twice the limit: a secret that the cut would halve is still found whole.
    while (size - (chunks[0]?.length ?? 0) >= 2 * LIMITS.stderr) size -= chunks.shift()?.length ?? 0;
  };
  stream.on('data', onData);
  return {
    text: () => redact(Buffer.concat(chunks).toString('utf8'), secrets).slice(-LIMITS.stderr),
    forget() {
      stream.off('data', onData);
      stream.resume();
      chunks = [];
      size = 0;
    },
  };
}

/** Variables that say where and who one is. Their values are no secrets, and a reason is hard to read without them. */
const PLAIN = /^(?:PATH|HOME|USER|LOGNAME|SHELL|LANG|LC_[A-Z]+|TZ|TMPDIR|PWD)$/;

/** Characters of the shortest value that counts as a secret: a shorter one, like `true`, would hide half of a text. */
const SHORTEST_SECRET = 6;

/** Values of an environment that could be secrets. The longest stand first: a shorter one may be part of them. */
export function secretsOf(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(env)
    .filter(([name, value]) => value.length >= SHORTEST_SECRET && !PLAIN.test(name))
    .map(([, value]) => value)
    .toSorted((a, b) => b.length - a.length);
}

function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}
