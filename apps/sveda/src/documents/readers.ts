import type { Kind } from './kind.ts';
import { LIMITS } from './limits.ts';

/** Reads the text of one kind of document, with the library for that kind alone. Rejects when the bytes are no such document. */
export const readers: Readonly<Record<Kind, (bytes: Uint8Array) => Promise<string>>> = {
  text: async (bytes) => decode(bytes),
  csv: async (bytes) => table(await rowsOf(decode(bytes))),
  async pdf(bytes) {
    const { extractText, getDocumentProxy } = await import('unpdf');
    const document = await getDocumentProxy(new Uint8Array(bytes), { verbosity: 0 });
    const { text } = await extractText(document, { mergePages: false });
    return text.join('\n\n');
  },
  async docx(bytes) {
    const { default: mammoth } = await import('mammoth');
    const { value } = await mammoth.extractRawText({ buffer: Buffer.from(bytes) });
    return value;
  },
};

/** UTF-8, or UTF-16 where a byte order mark says so. Anything else is refused rather than guessed. */
function decode(bytes: Uint8Array): string {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  const encoding = mark === 'fffe' ? 'utf-16le' : mark === 'feff' ? 'utf-16be' : 'utf-8';
  const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  if (text.includes('\0')) throw new Error('The file is not text.');
  return text;
}

async function rowsOf(text: string): Promise<string[][]> {
  const { parse } = await import('csv-parse/sync');
  const firstLine = text.slice(0, text.search(/[\r\n]|$/));
  const delimiter = [',', ';', '\t'].toSorted((a, b) => count(firstLine, b) - count(firstLine, a))[0] ?? ',';
  return parse(text, { delimiter, relax_column_count: true, skip_empty_lines: true, to: LIMITS.rows });
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** A Markdown table: the form that models read best. */
function table(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows.map((row) => row.map(cell));
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...body.map(line)].join('\n');
}

function cell(value: string): string {
  return value.trim().replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
}
