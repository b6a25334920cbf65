/** The kinds of document whose text can be read. */
export const kinds = ['text', 'csv', 'pdf', 'docx'] as const;
export type Kind = (typeof kinds)[number];

/**
 * What a file is: by its first bytes where its format has such, else by its name. Undefined: text cannot be read from it.
 */
export function kindOf(filename: string, bytes: Uint8Array): Kind | undefined {
  const extension = /\.([a-z0-9]{1,8})$/i.exec(filename)?.[1]?.toLowerCase() ?? '';
  if (startsWith(bytes, '%PDF-')) return 'pdf';
  if (startsWith(bytes, 'PK\u0003\u0004')) return extension === 'docx' ? 'docx' : undefined;
  if (extension === 'csv') return 'csv';
  return textual.has(extension) ? 'text' : undefined;
}

const textual = new Set(['txt', 'text', 'md', 'markdown', 'log', '']);

function startsWith(bytes: Uint8Array, text: string): boolean {
  return Buffer.from(bytes.subarray(0, text.length)).equals(Buffer.from(text, 'latin1'));
}
