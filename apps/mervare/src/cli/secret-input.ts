import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';

/** The first line of the input. On a terminal the person is prompted, and what is typed is not shown. */
export async function readSecret(prompt: string, input: ReadStream, prompts: WriteStream): Promise<string> {
  const hidden = new Writable({ write: (_chunk, _encoding, done) => done() });
  // The terminal ceases to echo here, so before anybody is asked to type.
  const lines = createInterface({ input, output: hidden, terminal: input.isTTY });
  if (input.isTTY) prompts.write(prompt);
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (input.isTTY) prompts.write('\n');
  }
}
