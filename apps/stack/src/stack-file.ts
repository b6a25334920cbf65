import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** What `stack.json` says: the process of the stack, and each app's facts by its name. */
const StackFile = z.object({ pid: z.int() }).catchall(z.record(z.string(), z.string()));
export type StackFile = z.infer<typeof StackFile>;

/** Reads `stack.json`; undefined while not everything is ready. */
export async function readStackFile(file: string): Promise<StackFile | undefined> {
  try {
    return StackFile.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined;
  }
}
