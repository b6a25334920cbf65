import {
  chmod,
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rename,
  rm,
  symlink,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Misconfigured } from '../errors.ts';
import { syncTree } from './disk.ts';
import type { NativePackage } from './platform.ts';

/** Programs that the server account can execute, and where their libraries are. */
export interface Binaries {
  readonly programs: string;
  readonly libraryPath: string;
}

/** Written by root alone all the way down, so that nobody else can plant a program there. */
const CACHE = '/var/cache/portolan';

/**
 * Makes the binaries usable. An ordinary user executes them where npm put them. Root's server runs as nobody, who may not be able to enter
 * the folder of npm, so root keeps one copy a version in the machine's cache.
 *
 * @param links folder of ours for the symbolic links that npm does not deliver
 */
export async function prepareBinaries(
  native: NativePackage,
  links: string,
  cache = CACHE,
): Promise<Binaries> {
  const folder = process.geteuid?.() === 0 ? await cachedCopy(native, cache) : native.folder;
  await linkLibraries(folder, links);
  return { programs: join(folder, 'bin'), libraryPath: `${links}:${join(folder, 'lib')}` };
}

async function linkLibraries(folder: string, links: string): Promise<void> {
  const list = JSON.parse(await readFile(join(folder, 'pg-symlinks.json'), 'utf8')) as readonly Link[];
  await rm(links, { recursive: true, force: true });
  await mkdir(links, { mode: 0o755 });
  for (const { source, target } of list)
    await symlink(join(folder, 'lib', basename(source)), join(links, basename(target)));
}

interface Link {
  readonly source: string;
  readonly target: string;
}

/** The copy appears whole or not at all, whoever makes it at the same time. */
async function cachedCopy({ folder, version }: NativePackage, cache: string): Promise<string> {
  const target = join(cache, `postgresql-${version}-${process.arch}`);
  const made = await mkdir(cache, { recursive: true });
  if (made !== undefined) await chmod(cache, 0o755);
  await requireRootOnly(cache);
  if (await exists(target)) return requireRootOnly(target);
  const fresh = await mkdtemp(join(cache, '.new-'));
  try {
    await copyTree(folder, fresh);
    await syncTree(fresh);
    await rename(fresh, target).catch(ignoreTaken);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
  return requireRootOnly(target);
}

/** Copies with modes that let everybody read, whatever the umask of npm was. */
async function copyTree(from: string, to: string): Promise<void> {
  await chmod(to, 0o755);
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map(async (entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      if (entry.isFile()) return copyOne(source, target);
      if (!entry.isDirectory()) return;
      await mkdir(target);
      await copyTree(source, target);
    }),
  );
}

async function copyOne(source: string, target: string): Promise<void> {
  await copyFile(source, target);
  const { mode } = await lstat(target);
  await chmod(target, (mode & 0o100) === 0 ? 0o644 : 0o755);
}

/** The folder, if nobody but root can change it or replace it by another. */
async function requireRootOnly(folder: string): Promise<string> {
  for (let path = await realpath(folder); ; path = dirname(path)) {
    const { uid, mode } = await lstat(path);
    if (uid !== 0 || (mode & 0o022) !== 0)
      throw new Misconfigured(
        'unsupported_platform',
        `Others than root may write to ${path}, where root keeps the database programs: take that right away, or run as an ordinary user`,
      );
    if (path === dirname(path)) return folder;
  }
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function ignoreTaken(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
}
