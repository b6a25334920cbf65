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

/** Values of an environment that could be secrets: not short ones, and not paths. */
export function secretsOf(env: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(env).filter((value) => value.length >= 8 && !value.startsWith('/'));
}

function redact(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}
