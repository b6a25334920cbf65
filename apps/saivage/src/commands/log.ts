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
  /** More was written than the file may hold. */
  readonly cut: boolean;
  /** The end of the output, as text. */
  readonly tail: string;
  /** Resolves when both streams have ended and the file is whole. */
  readonly written: Promise<void>;
}

/** The folder of logs below `.saivage/work`, made if need be; of earlier logs only the newest are kept. */
export async function openLogs(work: string): Promise<string> {
  const folder = join(work, 'commands');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const old = (await readdir(folder)).toSorted().slice(0, -LIMITS.kept);
  for (const name of old) await rm(join(folder, name), { force: true });
  return folder;
}

/** Takes down both streams in the order of arrival. A slow disk slows the command, never the server. */
export function takeDown(file: string, streams: readonly Readable[]): CommandLog {
  const out = createWriteStream(file, { mode: 0o600 });
  const tail: Buffer[] = [];
  let kept = 0;
  let size = 0;

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
      if (room > 0 && !out.write(chunk.subarray(0, room))) await once(out, 'drain');
    }
  };
  const end = async (): Promise<void> => {
    await Promise.allSettled(streams.map(read));
    out.end();
    await finished(out);
  };

  return {
    file,
    get size() {
      return size;
    },
    get cut() {
      return size > LIMITS.log;
    },
    get tail() {
      return Buffer.concat(tail).subarray(-LIMITS.tail).toString('utf8');
    },
    written: end(),
  };
}
