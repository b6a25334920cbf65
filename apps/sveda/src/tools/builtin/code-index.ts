import { constants } from 'node:fs';
import { open, readdir, readlink, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import ignore, { type Ignore } from 'ignore';

/** Limits of the index. Sizes in bytes, times in milliseconds. */
export const INDEX_LIMITS = {
  file: 512 * 1024,
  files: 8_000,
  folders: 8_000,
  text: 32 * 1024 * 1024,
  /** Age after which it is made anew at the next question. */
  fresh: 60_000,
} as const;

/** One text file of the workspace, as it was when the index was made. */
export interface IndexedFile {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** The text files of a workspace. Whatever is not in it cannot be asked for, so no path leads out of the root. */
export interface CodeIndex {
  files(): Promise<ReadonlyMap<string, IndexedFile>>;
}

/** An index of the files below `root`, made when it is first asked for, and again when it has become old. */
export function codeIndex(root: string, now: () => Date): CodeIndex {
  let made: { readonly files: Promise<ReadonlyMap<string, IndexedFile>>; readonly at: number } | undefined;
  return {
    files() {
      const at = now().getTime();
      if (!made || at - made.at >= INDEX_LIMITS.fresh) {
        const files = readWorkspace(root);
        files.catch(() => (made = undefined));
        made = { files, at };
      }
      return made.files;
    },
  };
}

interface Walk {
  readonly root: string;
  readonly files: Map<string, IndexedFile>;
  folders: number;
  size: number;
}

/** What the ignore files of a folder and of those above it leave out, each seen from its own folder. */
type Rules = readonly { readonly below: string; readonly rules: Ignore }[];

async function readWorkspace(root: string): Promise<ReadonlyMap<string, IndexedFile>> {
  const walk: Walk = { root: await realpath(root), files: new Map(), folders: 0, size: 0 };
  await readFolder(walk, '', []);
  return walk.files;
}

/** Hidden entries and links are left out, and so is what ignore files name: what is not shared is not shown. */
async function readFolder(walk: Walk, folder: string, above: Rules): Promise<void> {
  walk.folders += 1;
  const entries = await readdir(join(walk.root, folder), { withFileTypes: true });
  const rules = [
    ...above,
    ...(await rulesIn(
      walk,
      folder,
      entries.map(({ name }) => name),
    )),
  ];
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (isFull(walk)) return;
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.name.startsWith('.') || isIgnored(rules, entry.isDirectory() ? `${path}/` : path)) continue;
    if (entry.isDirectory()) await readFolder(walk, path, rules);
    else if (entry.isFile()) await takeFile(walk, path);
  }
}

function isFull({ files, folders, size }: Walk): boolean {
  return files.size >= INDEX_LIMITS.files || folders >= INDEX_LIMITS.folders || size >= INDEX_LIMITS.text;
}

async function rulesIn(walk: Walk, folder: string, names: readonly string[]): Promise<Rules> {
  const present = ['.gitignore', '.ignore'].filter((name) => names.includes(name));
  const texts = await Promise.all(present.map((name) => readText(walk.root, join(folder, name))));
  if (texts.length === 0) return [];
  return [
    {
      below: folder === '' ? '' : `${folder}/`,
      rules: ignore().add(texts.map((text) => text ?? '').join('\n')),
    },
  ];
}

/** The nearest file that speaks of a path has the last word. */
function isIgnored(rules: Rules, path: string): boolean {
  let ignored = false;
  for (const { below, rules: one } of rules) {
    const { ignored: out, unignored } = one.test(path.slice(below.length));
    ignored = (ignored && !unignored) || out;
  }
  return ignored;
}

async function takeFile(walk: Walk, path: string): Promise<void> {
  const text = await readText(walk.root, path);
  if (text === undefined) return;
  walk.size += Buffer.byteLength(text);
  walk.files.set(path, { path, text });
}

/** A text file below the root; undefined for one that is large, binary, gone, or that turns out to lie elsewhere. */
async function readText(root: string, path: string): Promise<string | undefined> {
  const full = join(root, path);
  const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => undefined,
  );
  if (!file) return undefined;
  try {
    const facts = await file.stat();
    if (!facts.isFile() || facts.size > INDEX_LIMITS.file) return undefined;
    // A folder on the way may have become a link since it was listed.
    if ((await readlink(`/proc/self/fd/${file.fd}`)) !== full) return undefined;
    const bytes = await file.readFile();
    return bytes.length > INDEX_LIMITS.file || bytes.includes(0) ? undefined : bytes.toString('utf8');
  } finally {
    await file.close();
  }
}
