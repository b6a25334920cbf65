import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { documents } from '../docs/documents.ts';
import { servers } from '../mcp/servers.ts';

/** `mervare docs`: writes every generated file of Mervare below a folder. The same sources give the same bytes. */
export async function writeDocs(root: string): Promise<void> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  for (const [path, text] of documents(servers, countTokens)) {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}
