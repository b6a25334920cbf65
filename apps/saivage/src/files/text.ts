/** A part of a text, cut between characters. */
export interface TextSlice {
  readonly text: string;
  /** The byte where the text begins: the one asked for, or the next on which a character begins. */
  readonly position: number;
  /** The byte to read on from; absent at the end. */
  readonly nextPosition?: number;
}

/** The whole characters of a buffer that was read at `position` of `size` bytes. Undefined when it is not UTF-8 text. */
export function textSlice(bytes: Buffer, position: number, size: number): TextSlice | undefined {
  const start = position === 0 ? 0 : leadingTail(bytes);
  const atEnd = position + bytes.length >= size;
  const end = atEnd ? bytes.length : bytes.length - trailingHead(bytes);
  const text = decode(bytes.subarray(start, Math.max(start, end)));
  if (text === undefined || text.includes('\0')) return undefined;
  return {
    text,
    position: position + start,
    ...(!atEnd && { nextPosition: position + Math.max(start, end) }),
  };
}

/** Bytes at the start that belong to a character which began before: at most three (RFC 3629 §3). */
function leadingTail(bytes: Buffer): number {
  const first = [...bytes.subarray(0, 4)].findIndex((byte) => !isContinuation(byte));
  return Math.max(first, 0);
}

/** Bytes at the end that begin a character whose rest is not there. */
function trailingHead(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (!isContinuation(byte)) return lengthOf(byte) > back ? back : 0;
  }
  return 0;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
