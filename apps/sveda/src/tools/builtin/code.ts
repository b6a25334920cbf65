import { anyone, Refusal, toolsFor } from '@portolan/mcp/tool';
import { z } from 'zod';
import type { CodeIndex } from './code-index.ts';
import { searchCode } from './search-code.ts';

const tool = toolsFor<CodeIndex>();

/** Characters of one read. */
const READ_CHARACTERS = 16_000;

const searchCodeTool = tool('search_code', {
  title: 'Search the code',
  says: 'Finds passages of the workspace by keywords. Answers path and lines; read_code_file takes the path.',
  access: anyone,
  effect: 'reads',
  input: z.object({
    query: z.string().min(1).max(500).describe('Words that the code has: names, terms.'),
    limit: z.int().min(1).max(24).default(8).describe('Most passages to answer.'),
  }),
  output: z.object({
    hits: z.array(
      z.object({
        path: z.string(),
        firstLine: z.int(),
        lastLine: z.int(),
        score: z.number(),
        text: z.string(),
      }),
    ),
  }),
  example: { query: 'harbour search', limit: 4 },
}).run(async ({ query, limit }, { deps }) => ({ hits: await searchCode(await deps.files(), query, limit) }));

const readCodeFileTool = tool('read_code_file', {
  title: 'Read a file',
  says: 'Reads lines of one file of the workspace, by a path as search_code answers it.',
  access: anyone,
  effect: 'reads',
  input: z.object({
    path: z.string().min(1).max(1_024).describe('Path below the root of the workspace.'),
    line: z.int().min(1).default(1).describe('The first line to read, from 1.'),
    count: z.int().min(1).max(400).default(120).describe('Most lines to read.'),
  }),
  output: z.object({
    path: z.string(),
    firstLine: z.int(),
    text: z.string(),
    lines: z.int().describe('Lines of the whole file.'),
    nextLine: z.int().optional().describe('Where to read on; absent at the end of the file.'),
    cut: z.boolean().optional().describe('True when one line was too long to be read whole.'),
  }),
  example: { path: 'src/index.ts', line: 1, count: 40 },
}).run(async ({ path, line, count }, { deps }) => {
  const file = (await deps.files()).get(path);
  if (!file) throw new Refusal('not_found', 'There is no such file in the index of the workspace.');
  const lines = file.text.split('\n');
  const { taken, cut } = fitting(lines.slice(line - 1, line - 1 + count));
  const next = line + taken.length;
  return {
    path,
    firstLine: line,
    text: taken.join('\n'),
    lines: lines.length,
    ...(taken.length > 0 && next <= lines.length && { nextLine: next }),
    ...(cut && { cut }),
  };
});

/** As many of the lines as fit, whole; a first one that does not fit by itself is cut. */
function fitting(lines: readonly string[]): { taken: readonly string[]; cut: boolean } {
  const [first = ''] = lines;
  if (first.length > READ_CHARACTERS)
    return { taken: [first.slice(0, READ_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')], cut: true };
  let room = READ_CHARACTERS;
  const end = lines.findIndex((line) => (room -= line.length + 1) < 0);
  return { taken: end === -1 ? lines : lines.slice(0, end), cut: false };
}

export const codeTools = [searchCodeTool, readCodeFileTool];
