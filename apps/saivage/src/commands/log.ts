import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { LIMITS } from './limits.ts';

/** What a command writes: all of it in a file as far as that may grow, the end of it in memory. */
export interface CommandLog {
  /** Absolute path of the file. */
  readonly file: string;
  /** Bytes that the command has written so far. */
  readonly size: number;
  /** The file holds less than was written. */
  readonly cut: boolean;
  /** The end of the output, as text. */
  readonly tail: string;
  /** Resolves when both streams have ended and nothing more comes to the file. */
  readonly written: Promise<void>;
}

/** The folder of the logs, made where it is missing: a command may have removed it. */
export async function openLogs(work: string): Promise<string> {
  const folder = join(work, 'commands');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}

/** Of what earlier servers left the newest logs stay, as many as are kept of commands. */
export async function dropOldLogs(folder: string): Promise<void> {
  const old = (await readdir(folder)).toSorted().slice(0, -LIMITS.kept);
  for (const name of old) await rm(join(folder, name), { recursive: true, force: true });
}

/**
 * Takes down both streams in the order of arrival. A slow disk slows the command, never the server; a log that cannot be written is cut
 * there, and ends neither.
 */
export function takeDown(file: string, streams: readonly Readable[]): CommandLog {
  const out = createWriteStream(file, { mode: 0o600 });
  const tail: Buffer[] = [];
  let kept = 0;
  let size = 0;
  let lost = false;
  out.on('error', () => (lost = true));

  const remember = (chunk: Buffer): void => {
    tail.push(chunk);
    kept += chunk.length;
    while (kept - (tail[0]?.length ?? 0) >= LIMITS.tail) kept -= tail.shift()?.length ?? 0;
  };
  const read = async (stream: Readable): Promise<void> => {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const room = Math.max(0, LIMITS.log - size);
      size += chunk.length;
      remember(chunk);
      if (room === 0 || lost || out.write(chunk.subarray(0, room))) continue;
      await once(out, 'drain').catch(() => undefined);
    }
  };
  const end = async (): Promise<void> => {
    await Promise.allSettled(streams.map(read));
    out.end();
    await finished(out).catch(() => undefined);
  };

  return {
    file,
    get size() {
      return size;
    },
    get cut() {
      return lost || size > LIMITS.log;
    },
    get tail() {
      return Buffer.concat(tail).subarray(-LIMITS.tail).toString('utf8');
    },
    written: end(),
  };
}
