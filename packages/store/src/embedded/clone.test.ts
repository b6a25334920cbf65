import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startOpener } from './harness.fixture.ts';

const run = promisify(execFile);
const room = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
let clone: string;

/** A clone as far as this room needs it, in a folder that only its user may enter. */
beforeAll(async () => {
  // Not in memory: programs may not be allowed to run from there.
  folder = await mkdtemp(join(tmpdir(), 'portolan-clone-'));
  clone = join(folder, 'clone');
  await mkdir(join(clone, 'node_modules'), { recursive: true, mode: 0o700 });
  for (const [name, path] of await dependencies(room))
    await cp(path, join(clone, 'node_modules', name), { recursive: true });
  await cp(join(room, 'dist'), join(clone, 'store/dist'), { recursive: true });
  await cp(join(room, 'package.json'), join(clone, 'store/package.json'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe.runIf(process.geteuid?.() === 0)('in a clone below a 0700 folder', () => {
  it('root has a server', async () => {
    expect(await openInClone([])).toEqual([{ mode: 'embedded-owner' }, { rows: 0 }]);
  });

  it('an ordinary user has a server', async () => {
    await run('chown', ['-R', '65534:65534', folder]);
    const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'];
    expect(await openInClone(nobody)).toEqual([{ mode: 'embedded-owner' }, { rows: 0 }]);
  });
});

async function openInClone(prefix: readonly string[]): Promise<unknown[]> {
  const path = join(clone, 'store/dist/embedded/opener.fixture.js');
  // A data folder that is named from where the command runs.
  const opener = startOpener(`.portolan/data-${prefix.length}`, { prefix: ['-C', clone, ...prefix], path });
  const answers = [await opener.next(), await opener.ask('count')];
  await opener.close();
  return answers;
}

/** All packages that the room at `folder` needs at run time, by name, with the folders where they are installed. */
async function dependencies(folder: string, found = new Map<string, string>()): Promise<Map<string, string>> {
  const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
  const resolver = createRequire(join(folder, 'package.json'));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const home = resolver.resolve
      .paths(name)
      ?.map((modules) => join(modules, name))
      .find((path) => existsSync(path));
    if (home === undefined || found.has(name)) continue;
    await dependencies(home, found.set(name, home));
  }
  return found;
}

interface Manifest {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}
