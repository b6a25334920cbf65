import type { FileHandle } from 'node:fs/promises';
import { opendir } from 'node:fs/promises';
import { Refusal } from '@portolan/mcp/tool';
import { openInside } from './inside.ts';
import { textSlice, type TextSlice } from './text.ts';

/** Reads of one project's files, for agents and for the operator alike. Paths go from the project's root. */
export interface ProjectFiles {
  /** A part of a text file, or a part of a folder's list. Throws `Refusal`. */
  read(path: string, window: Window): Promise<FileReading | FolderReading>;
}

/** Which part is wanted: bytes of a file, or entries of a folder, from `position` on. */
export interface Window {
  readonly position: number;
  /** Bytes of text, or of names, that the answer may hold. */
  readonly bytes: number;
}

export interface FileReading extends TextSlice {
  readonly kind: 'file';
  /** Bytes of the whole file. */
  readonly size: number;
}

export interface FolderReading {
  readonly kind: 'folder';
  readonly entries: readonly FolderEntry[];
  /** Entries of the whole folder. */
  readonly size: number;
  /** Where to read on; absent at the end. */
  readonly nextPosition?: number;
}

export interface FolderEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
}

/** Entries of a folder that are looked at. A larger one is refused rather than listed in part. */
const MAX_ENTRIES = 50_000;

/** The files below a root, which must be an absolute path without symbolic links. */
export function projectFiles(root: string): ProjectFiles {
  return {
    async read(path, window) {
      const handle = await openInside(root, path);
      try {
        const found = await handle.stat();
        if (found.isDirectory()) return await readFolder(handle, path, window);
        if (found.isFile()) return await readFile(handle, path, found.size, window);
        throw new Refusal('invalid_input', `${path} is neither a file nor a folder.`);
      } finally {
        await handle.close();
      }
    },
  };
}

async function readFile(
  handle: FileHandle,
  path: string,
  size: number,
  window: Window,
): Promise<FileReading> {
  const buffer = Buffer.alloc(Math.min(window.bytes, Math.max(size - window.position, 0)));
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, window.position);
  const slice = textSlice(buffer.subarray(0, bytesRead), window.position, size);
  if (!slice) throw new Refusal('invalid_input', `${path} is not UTF-8 text at this position.`);
  return { kind: 'file', size, ...slice };
}

async function readFolder(handle: FileHandle, path: string, window: Window): Promise<FolderReading> {
  const all = await entriesOf(handle, path);
  const entries: FolderEntry[] = [];
  let room = window.bytes;
  for (const entry of all.slice(window.position)) {
    room -= Buffer.byteLength(entry.name);
    if (room < 0 && entries.length > 0) break;
    entries.push(entry);
  }
  const end = window.position + entries.length;
  return { kind: 'folder', entries, size: all.length, ...(end < all.length && { nextPosition: end }) };
}

async function entriesOf(handle: FileHandle, path: string): Promise<FolderEntry[]> {
  const entries: FolderEntry[] = [];
  // The folder that was opened and judged, not the one that its path leads to by now.
  for await (const found of await opendir(`/proc/self/fd/${handle.fd}`)) {
    if (entries.length === MAX_ENTRIES) {
      throw new Refusal('too_many', `${path} holds more than ${MAX_ENTRIES} entries.`);
    }
    const kind = found.isFile()
      ? 'file'
      : found.isDirectory()
        ? 'folder'
        : found.isSymbolicLink()
          ? 'link'
          : 'other';
    entries.push({ name: found.name, kind });
  }
  return entries.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
