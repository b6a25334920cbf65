/** Cuts a stream of bytes into lines. */
export interface Lines {
  /** Takes a chunk and answers the lines that it completes, without their ends. */
  push(chunk: Buffer): Buffer[];
  /** Bytes of the line that has no end yet. */
  readonly pending: number;
}

/**
 * Lines of any length, at a cost linear in their bytes: each chunk is searched once, and an unfinished line grows in
 * one buffer that doubles, however small the chunks are.
 */
export function cutLines(): Lines {
  let held = Buffer.alloc(0);
  let used = 0;

  const hold = (part: Buffer) => {
    if (used + part.length > held.length) {
      const grown = Buffer.allocUnsafe(Math.max(2 * held.length, used + part.length, 4096));
      held.copy(grown, 0, 0, used);
      held = grown;
    }
    part.copy(held, used);
    used += part.length;
  };

  const release = (last: Buffer): Buffer => {
    if (used === 0) return last;
    hold(last);
    const line = held.subarray(0, used);
    held = Buffer.alloc(0);
    used = 0;
    return line;
  };

  return {
    push(chunk) {
      const lines: Buffer[] = [];
      let from = 0;
      for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
        lines.push(release(chunk.subarray(from, end)));
        from = end + 1;
      }
      if (from < chunk.length) hold(chunk.subarray(from));
      return lines;
    },
    get pending() {
      return used;
    },
  };
}
