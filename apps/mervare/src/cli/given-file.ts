import { readFile, stat } from 'node:fs/promises';
import { Refusal } from '@portolan/mcp/tool';

const MOST_BYTES = 64 * 1024 * 1024;

/** The text of a file that a command was given. Throws a Refusal for one that is too large to be read at once. */
export async function readGiven(file: string): Promise<string> {
  const { size } = await stat(file);
  if (size > MOST_BYTES) throw new Refusal('invalid_input', `The file has more than ${MOST_BYTES} bytes.`);
  return readFile(file, 'utf8');
}
