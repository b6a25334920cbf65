import { kinds } from './kind.ts';
import { LIMITS } from './limits.ts';
import { readers } from './readers.ts';

/** What the process answers: the last line of its stdout, as JSON. */
export type Answer = { readonly text: string; readonly cut: boolean } | { readonly fault: string };

/** Reads a document from stdin, its kind from the arguments. Runs alone in a process that owns nothing. */
export async function main([kind]: readonly string[]): Promise<Answer> {
  const known = kinds.find((one) => one === kind);
  if (!known) return { fault: 'kind' };
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  try {
    const text = (await readers[known](Buffer.concat(chunks))).replaceAll('\0', '').trim();
    return { text: text.slice(0, LIMITS.characters), cut: text.length > LIMITS.characters };
  } catch (error) {
    return { fault: error instanceof Error ? error.name : 'Error' };
  }
}
