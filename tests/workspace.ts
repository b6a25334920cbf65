import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the whole repository. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** One room of the house: a workspace package with the rooms that its manifest names. */
export interface Room {
  readonly name: string;
  readonly folder: string;
  readonly dependencies: readonly string[];
}

/** Every workspace below packages/ and apps/, read from its manifest. */
export function rooms(): Room[] {
  return ['packages', 'apps'].flatMap((kind) =>
    readdirSync(join(root, kind)).map((entry) => {
      const folder = `${kind}/${entry}`;
      const manifest = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest;
      const dependencies = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
      return { name: manifest.name, folder, dependencies };
    }),
  );
}

interface Manifest {
  readonly name: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
}

/** Paths (relative to the root) of all source files below a folder, builds and dependencies left out. */
export function sources(folder: string, ending = /\.tsx?$/): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    if (entry.name === 'node_modules' || entry.name === 'dist') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) found.push(...sources(path, ending));
    else if (ending.test(entry.name)) found.push(relative('.', path));
  }
  return found;
}

/** The text of a file, by its path from the root. */
export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}
