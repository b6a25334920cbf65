import { rename, writeFile } from 'node:fs/promises';

/** Writes a file for its owner only, in one step: a reader finds the old or the new one, whole. */
export async function writePrivate(file: string, content: object): Promise<void> {
  const draft = `${file}.${process.pid}`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}
