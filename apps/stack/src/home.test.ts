import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { emptyHome, homeOf, makeHome } from './home.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stack-home-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A folder of somebody's, with the names that a stack uses. */
async function foreign(): Promise<string> {
  const root = join(folder, 'mine');
  await mkdir(join(root, 'data'), { recursive: true });
  await writeFile(join(root, 'data', 'precious.txt'), 'mine');
  return root;
}

describe('the home of a stack', () => {
  it('is never emptied where no stack made it, whatever the names there', async () => {
    const root = await foreign();
    await expect(emptyHome(homeOf(root, folder))).rejects.toThrow(`No stack made ${root}`);
    expect(await readFile(join(root, 'data', 'precious.txt'), 'utf8')).toBe('mine');
  });

  it('is not made in a folder that holds things of others', async () => {
    const root = await foreign();
    await expect(makeHome(homeOf(root, folder))).rejects.toMatchObject({ code: 78 });
    expect(await readdir(root)).toEqual(['data']);
  });

  it('is made in an empty folder, found again, and emptied whole', async () => {
    const home = homeOf(folder, '/');
    await makeHome(home);
    await makeHome(home);
    expect(await emptyHome(home)).toEqual([]);
    await expect(readdir(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('is still ours after a reset that did not come to its end', async () => {
    const home = homeOf(join(folder, 'home'), '/');
    await makeHome(home);
    // Nothing removes what lies below a file.
    await expect(emptyHome({ ...home, data: join(home.mark, 'data') })).rejects.toMatchObject({
      code: 'ENOTDIR',
    });
    expect(await emptyHome(home)).toEqual([]);
  });

  it('is the usual one where the setting is empty', () => {
    expect(homeOf('', '/somewhere').root).toBe('/somewhere/.portolan');
  });
});
