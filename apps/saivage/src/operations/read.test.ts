import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFiles } from '../files/project-files.ts';
import { folderOfTest, makeProject } from '../testing/project.ts';
import type { OperationDeps } from './operation.ts';
import { read } from './read.ts';

interface Envelope {
  readonly success: boolean;
  readonly data?: {
    readonly text?: { readonly untrusted: string };
    readonly entries?: readonly { readonly name: string }[];
    readonly position: number;
    readonly next_position?: number;
    readonly size: number;
  };
  readonly error?: { readonly code: string; readonly message: string };
}

/** A project and a way to read in it. */
function reader() {
  const folder = makeProject(folderOfTest());
  const deps = { files: projectFiles(folder.root) } as OperationDeps;
  const caller = { kind: 'principal', name: 'p', audience: '', scopes: [], grants: [] };
  const ask = async (input: object) => {
    const { structuredContent } = await read.run(input, {
      deps,
      caller,
      signal: new AbortController().signal,
    });
    return structuredContent as Envelope;
  };
  return {
    folder,
    ask,
    put: (name: string, content: string | Buffer) => writeFileSync(join(folder.root, name), content),
  };
}

describe('read', () => {
  it('answers a text file, marked as written by others', async () => {
    const { ask, put } = reader();
    put('a.txt', 'Grüße\n');
    expect(await ask({ path: 'a.txt' })).toEqual({
      success: true,
      data: { kind: 'file', size: 8, position: 0, text: { untrusted: 'Grüße\n' } },
    });
  });

  it('answers a folder by name, and hides no kind of entry', async () => {
    const { ask, put, folder } = reader();
    put('b', '');
    mkdirSync(join(folder.root, 'a'));
    symlinkSync('b', join(folder.root, 'c'));
    expect((await ask({ path: '.' })).data).toEqual({
      kind: 'folder',
      size: 4,
      position: 0,
      entries: [
        { name: '.saivage', kind: 'folder' },
        { name: 'a', kind: 'folder' },
        { name: 'b', kind: 'file' },
        { name: 'c', kind: 'link' },
      ],
    });
  });

  it('gives long text in parts that join to the whole, without splitting a character', async () => {
    const { ask, put } = reader();
    const whole = 'aé€😀'.repeat(700);
    put('long.txt', whole);
    const parts: string[] = [];
    let position: number | undefined = 0;
    while (position !== undefined) {
      const { data } = await ask({ path: 'long.txt', position, response_bytes: 512 });
      expect(Buffer.byteLength(data?.text?.untrusted ?? '')).toBeLessThanOrEqual(512);
      parts.push(data?.text?.untrusted ?? '');
      position = data?.next_position;
    }
    expect(parts.join('')).toBe(whole);
    expect(parts.length).toBeGreaterThan(10);
  });

  it('begins at the next character when a position falls into one', async () => {
    const { ask, put } = reader();
    put('a.txt', '€uro');
    expect((await ask({ path: 'a.txt', position: 1 })).data).toMatchObject({
      position: 3,
      text: { untrusted: 'uro' },
    });
  });

  it('gives long folders in parts', async () => {
    const { ask, put, folder } = reader();
    mkdirSync(join(folder.root, 'd'));
    const names = Array.from(
      { length: 100 },
      (_, index) => `${String(index).padStart(3, '0')}-${'x'.repeat(60)}`,
    );
    for (const name of names) put(join('d', name), '');
    const seen: string[] = [];
    let position: number | undefined = 0;
    while (position !== undefined) {
      const { data } = await ask({ path: 'd', position, response_bytes: 512 });
      seen.push(...(data?.entries ?? []).map(({ name }) => name));
      position = data?.next_position;
    }
    expect(seen).toEqual(names);
  });

  it.each([
    ['nothing', {}, 'invalid_input'],
    ['an empty path', { path: '' }, 'invalid_input'],
    ['a NUL in the path', { path: 'a\0b' }, 'invalid_input'],
    ['an unknown argument', { path: 'a', mode: 'x' }, 'invalid_input'],
    ['too few bytes', { path: 'a', response_bytes: 511 }, 'invalid_input'],
    ['too many bytes', { path: 'a', response_bytes: 32_769 }, 'invalid_input'],
    ['a file that is not there', { path: 'none' }, 'not_found'],
    ['a file as a folder', { path: 'text/x' }, 'not_found'],
  ])('refuses %s', async (_, input, code) => {
    const { ask, put } = reader();
    put('text', 'x');
    expect(await ask(input)).toMatchObject({ success: false, error: { code } });
  });

  it('refuses what is not text, and does not wait at a pipe', async () => {
    const { ask, put, folder } = reader();
    put('binary', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff]));
    put('nul', 'a\0b');
    execFileSync('mkfifo', [join(folder.root, 'pipe')]);
    for (const path of ['binary', 'nul', 'pipe']) {
      expect(await ask({ path })).toMatchObject({ success: false, error: { code: 'invalid_input' } });
    }
  });
});

describe('the fence around the project', () => {
  it.each(['..', '../x', '/etc/passwd', 'a/../../x', '/'])('SAI-17.1 refuses the path %s', async (path) => {
    const { ask } = reader();
    expect(await ask({ path })).toMatchObject({ success: false, error: { code: 'forbidden' } });
  });

  it('SAI-17.1 refuses symbolic links out of the project, to files and through folders', async () => {
    const { ask, folder } = reader();
    const outside = folderOfTest();
    writeFileSync(join(outside.root, 'secret'), 'secret');
    symlinkSync(join(outside.root, 'secret'), join(folder.root, 'file'));
    symlinkSync(outside.root, join(folder.root, 'folder'));
    symlinkSync('folder', join(folder.root, 'again'));
    for (const path of ['file', 'folder', 'folder/secret', 'again/secret']) {
      expect(await ask({ path })).toMatchObject({ success: false, error: { code: 'forbidden' } });
    }
  });

  it('SAI-17.1 follows symbolic links inside the project', async () => {
    const { ask, put, folder } = reader();
    put('a.txt', 'x');
    symlinkSync('a.txt', join(folder.root, 'b.txt'));
    expect(await ask({ path: 'b.txt' })).toMatchObject({ success: true });
  });

  it('SAI-17.1 refuses .saivage by every way, but for work', async () => {
    const { ask, put, folder } = reader();
    put('.saivage/work/note', 'x');
    symlinkSync('.saivage', join(folder.root, 'alias'));
    symlinkSync('../saivage.yaml', join(folder.work, 'way-out'));
    for (const path of [
      '.saivage',
      '.saivage/',
      '.saivage/saivage.yaml',
      './x/../.saivage/project.json',
      '.saivage/work/../saivage.yaml',
      '.saivage/workshop',
      'alias/saivage.yaml',
      '.saivage/work/way-out',
      `${folder.root}/.saivage/saivage.yaml`,
    ]) {
      expect([path, (await ask({ path })).error?.code]).toEqual([path, 'forbidden']);
    }
    expect(await ask({ path: '.saivage/work' })).toMatchObject({ success: true });
    expect(await ask({ path: '.saivage/work/note' })).toMatchObject({ success: true });
  });
});
