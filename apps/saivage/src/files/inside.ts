import { constants } from 'node:fs';
import { open, readlink, type FileHandle } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import { Refusal } from '@portolan/mcp/tool';

/**
 * Opens a file or folder of the project for reading, by its path from the project's root. What was really opened is
 * judged after the opening, so that no symbolic link, however it changes, leads out of the project or into
 * `.saivage/` (but for `.saivage/work/`). The caller closes the handle.
 */
export async function openInside(root: string, path: string): Promise<FileHandle> {
  refuseForbidden(root, resolve(root, path), path);
  const handle = await openOrRefuse(join(root, relative(root, resolve(root, path))), path);
  try {
    refuseForbidden(root, await readlink(`/proc/self/fd/${handle.fd}`), path);
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** The real folder behind a handle, which is closed. Refuses what is no folder. */
export async function placeOf(handle: FileHandle): Promise<string> {
  try {
    if (!(await handle.stat()).isDirectory())
      throw new Refusal('invalid_input', 'The working folder is no folder.');
    return await readlink(`/proc/self/fd/${handle.fd}`);
  } finally {
    await handle.close();
  }
}

function refuseForbidden(root: string, place: string, path: string): void {
  const steps = relative(root, place).split(sep);
  if (steps[0] === '..') throw new Refusal('forbidden', `${path} is outside of the project.`);
  if (steps[0] === '.saivage' && steps[1] !== 'work') {
    throw new Refusal('forbidden', `${path} belongs to Saivage; only .saivage/work may be read.`);
  }
}

async function openOrRefuse(place: string, path: string): Promise<FileHandle> {
  try {
    // Without O_NONBLOCK the opening of a pipe would wait for a writer.
    return await open(place, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw refusalFor((error as NodeJS.ErrnoException).code, path) ?? error;
  }
}

function refusalFor(code: string | undefined, path: string): Refusal | undefined {
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return new Refusal('not_found', `There is no ${path} in the project.`);
    case 'EACCES':
    case 'EPERM':
      return new Refusal('forbidden', `The server may not read ${path}.`);
    case 'ELOOP':
    case 'ENAMETOOLONG':
    case 'ENXIO':
    case 'ENODEV':
      return new Refusal('invalid_input', `${path} cannot be opened as a file or folder.`);
    default:
      return undefined;
  }
}
