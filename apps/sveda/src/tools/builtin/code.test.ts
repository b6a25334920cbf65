import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { offeredIn, talk } from '../../testing/opened.ts';
import { codeIndex } from './code-index.ts';
import { searchCode } from './search-code.ts';

let folder = '';
let root = '';

const files: Readonly<Record<string, string>> = {
  'src/harbour.ts': `${'// filler\n'.repeat(40)}export function findHarbour(name: string) {\n  return harbours.get(name);\n}\n`,
  'src/mail.ts': 'export function sendMail() {}\n',
  'src/letters.md': 'õäöü € 漢字 👩‍🚀\n'.repeat(3),
  '.gitignore': 'secret.txt\nbuild/\n*.log\n!kept.log\n',
  'secret.txt': 'harbour password',
  'build/out.ts': 'harbour built',
  'a.log': 'harbour log',
  'kept.log': 'harbour kept',
  '.env': 'HARBOUR_KEY=1',
  'deep/.ignore': '/private\n',
  'deep/private/a.ts': 'harbour private',
  'deep/public/private/b.ts': 'harbour shown',
  'binary.bin': 'harbour\0',
  'large.txt': 'harbour '.repeat(80_000),
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sveda-code-'));
  root = join(folder, 'root');
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  await writeFile(join(folder, 'outside.txt'), 'harbour outside');
  await symlink(join(folder, 'outside.txt'), join(root, 'link.txt'));
  await symlink(folder, join(root, 'up'));
});
afterAll(() => rm(folder, { recursive: true }));

const reader = (path: string, more: Record<string, unknown> = {}) => ({
  name: 'read_code_file',
  args: { path, ...more },
});

/** What the calls answered, in the order of the calls. */
async function answers(calls: { name: string; args: Record<string, unknown> }[]) {
  const { visitor } = await talk({
    model: (_request, index) => (index === 0 ? { calls } : { text: 'Done.' }),
    environment: { SVEDA_INDEX_ROOT: root },
  });
  const events = await visitor.stream({ message: { text: 'Look' } });
  const order = events.flatMap((event) => (event.type === 'tool.call' ? [event.toolCallId] : []));
  return order.map((id) => {
    const result = events.find((event) => event.type === 'tool.result' && event.toolCallId === id);
    return result?.type === 'tool.result' ? (result.structuredContent ?? result.status) : undefined;
  });
}

describe('the code tools', () => {
  it('SVE-20.1 are there with a workspace alone', async () => {
    const { visitor, requests } = await talk({ model: () => ({ text: 'Hello.' }) });
    await visitor.stream({ message: { text: 'Hi' } });
    expect(offeredIn(requests[0])).toEqual([]);
  });

  it('SVE-20.1 find passages by keywords, the best first, and read what was found', async () => {
    const [hits, file, rest, letters] = await answers([
      { name: 'search_code', args: { query: 'find harbour name', limit: 2 } },
      reader('src/harbour.ts', { line: 41, count: 2 }),
      reader('src/harbour.ts', { line: 43 }),
      reader('src/letters.md', { count: 1 }),
    ]);
    expect(hits).toMatchObject({ hits: [{ path: 'src/harbour.ts', firstLine: 31, lastLine: 44 }, {}] });
    expect(file).toEqual({
      path: 'src/harbour.ts',
      firstLine: 41,
      text: 'export function findHarbour(name: string) {\n  return harbours.get(name);',
      lines: 44,
      nextLine: 43,
    });
    expect(rest).toEqual({ path: 'src/harbour.ts', firstLine: 43, text: '}\n', lines: 44 });
    expect(letters).toMatchObject({ text: 'õäöü € 漢字 👩‍🚀' });
  });

  it('SVE-20.1 keep the best passage, however many come before it', async () => {
    const file = (path: string, text: string) => [path, { path, text }] as const;
    const many = file('a.ts', 'harbour\n'.repeat(60_000));
    const [hit, next] = await searchCode(
      new Map([many, file('z.ts', 'harbour of Tallinn')]),
      'harbour tallinn',
      2,
    );
    expect(hit).toMatchObject({ path: 'z.ts', firstLine: 1, lastLine: 1 });
    expect(next).toMatchObject({ path: 'a.ts', firstLine: 1, lastLine: 30 });
    expect(await searchCode(new Map([many]), '?!', 2)).toEqual([]);
  });

  it('SVE-20.2 show nothing that an ignore file names, that is hidden, large or binary, and nothing outside the root', async () => {
    const paths = [...(await codeIndex(root, () => new Date(0)).files()).keys()];
    expect(paths).toEqual([
      'deep/public/private/b.ts',
      'kept.log',
      'src/harbour.ts',
      'src/letters.md',
      'src/mail.ts',
    ]);
    const tried = [
      'secret.txt',
      '.env',
      'link.txt',
      'up/outside.txt',
      '../outside.txt',
      `${folder}/outside.txt`,
      'src/../../outside.txt',
      'src\\mail.ts',
      'SRC/MAIL.TS',
      'src/mail.ts\0',
      '/etc/passwd',
      'build/out.ts',
    ];
    expect(await answers(tried.map((path) => reader(path)))).toEqual(tried.map(() => 'failed'));
  });

  it('SVE-20.2 follow no folder that became a link after it was listed', async () => {
    const other = await mkdtemp(join(tmpdir(), 'sveda-swap-'));
    await mkdir(join(other, 'a'));
    await symlink(folder, join(other, 'b'));
    await writeFile(join(other, 'a', 'x.ts'), 'x');
    // The root itself may be reached by a link.
    await symlink(join(other, 'a'), join(other, 'root'));
    expect([...(await codeIndex(join(other, 'root'), () => new Date(0)).files()).keys()]).toEqual(['x.ts']);
    expect([...(await codeIndex(other, () => new Date(0)).files()).keys()]).toEqual(['a/x.ts']);
    await rm(other, { recursive: true });
  });
});
