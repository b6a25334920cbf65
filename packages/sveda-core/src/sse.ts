/** One event of a server-sent stream: its id, where it has one, and its data lines joined. */
export interface StreamLine {
  readonly id: string | undefined;
  readonly data: string;
}

/** Longest event that is read, in characters; a longer one is a broken server, not a message. */
const LONGEST = 16_000_000;

/**
 * Reads server-sent events (WHATWG HTML §9.2) from a response body. One streaming decoder, so that a letter split
 * over chunks stays whole; CR, LF and CRLF end lines, also when CR and LF arrive apart. Comments are skipped. An
 * event that the body leaves unfinished is dropped, as the standard asks. Throws when an event is too long.
 */
export async function* readStream(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamLine> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  let id: string | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      if (rest.length > LONGEST) throw new Error('An event of the stream is too long.');
      const lines = cut(rest, done);
      rest = lines.rest;
      for (const line of lines.whole) {
        if (line === '') {
          if (data.length > 0) yield { id, data: data.join('\n') };
          data = [];
        } else if (line.startsWith('data:')) data.push(valueOf(line, 5));
        else if (line.startsWith('id:')) id = valueOf(line, 3);
      }
      if (done) return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** A field's value: one space after the colon belongs to the syntax. */
function valueOf(line: string, from: number): string {
  return line.slice(line[from] === ' ' ? from + 1 : from);
}

/** Whole lines and what is left. A CR at the very end waits: its LF may come with the next chunk. */
function cut(text: string, last: boolean): { whole: string[]; rest: string } {
  const safe = !last && text.endsWith('\r') ? text.slice(0, -1) : text;
  const whole = safe.split(/\r\n|\r|\n/);
  const rest = (whole.pop() ?? '') + text.slice(safe.length);
  return { whole, rest };
}
