import { anyone, Untrusted, untrusted } from '@portolan/mcp/tool';
import { z } from 'zod';
import type { FileReading, FolderReading } from '../files/project-files.ts';
import { operation } from './operation.ts';

const position = z.int().min(0);

export const read = operation('read', {
  title: 'Read a file or folder',
  says:
    'A part of a text file or of a folder of the project. Paths go from the root of the project; "." is the root. ' +
    'Read on from next_position until it is absent.',
  access: anyone,
  effect: 'reads',
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .max(4096)
      .regex(/^[^\0]*$/, 'holds a NUL character'),
    position: position.default(0).describe('Byte of the file, or number of the entry, to begin at.'),
    response_bytes: z.int().min(512).max(32_768).default(32_768).describe('Most bytes of text or of names.'),
  }),
  output: z.object({
    kind: z.enum(['file', 'folder']),
    size: position.describe('Bytes of the whole file, or entries of the whole folder.'),
    position,
    next_position: position.optional(),
    text: Untrusted.optional().describe('Of a file.'),
    entries: z
      .array(z.object({ name: z.string(), kind: z.enum(['file', 'folder', 'link', 'other']) }))
      .optional()
      .describe('Of a folder, by name.'),
  }),
  example: { path: 'README.md' },
}).run(async ({ path, position: from, response_bytes: bytes }, { deps }) => {
  const reading = await deps.files.read(path, { position: from, bytes });
  return reading.kind === 'file' ? shownFile(reading) : shownFolder(reading, from);
});

function shownFile({ kind, size, position: at, nextPosition, text }: FileReading) {
  return { kind, size, position: at, ...next(nextPosition), text: untrusted(text) };
}

function shownFolder({ kind, size, entries, nextPosition }: FolderReading, at: number) {
  return { kind, size, position: at, ...next(nextPosition), entries: [...entries] };
}

function next(position: number | undefined) {
  return position === undefined ? {} : { next_position: position };
}
