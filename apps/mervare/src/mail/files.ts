import { randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Transport } from './transport.ts';

/** Instead of sending, writes each letter whole into a folder that only the site's own user may read. */
export function fileTransport(folder: string): Transport {
  return async ({ id, message }) => {
    const draft = join(folder, `.${randomUUID()}`);
    try {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await writeFile(draft, message, { mode: 0o600 });
      await rename(draft, join(folder, `${id}.eml`));
      return { is: 'sent' };
    } catch (error) {
      const { code = 'unknown' } = error as NodeJS.ErrnoException;
      return { is: 'deferred', reason: `The folder for letters cannot be written: ${code}.`, ours: true };
    }
  };
}
