import { join, resolve } from 'node:path';
import { mkdir, readdir, rm } from 'node:fs/promises';

/** Where everything of one stack lies. */
export interface Home {
  readonly root: string;
  /** What runs and where; exists only while all is ready. */
  readonly stack: string;
  /** Tokens by environment variable. */
  readonly secrets: string;
  /** MCP client configurations, with their tokens. */
  readonly clients: string;
  readonly logs: string;
  /** The data folder of each app. */
  readonly data: string;
  /** A git project for Saivage to work on. */
  readonly project: string;
}

/** The layout below `PORTOLAN_HOME`, by default `.portolan` in the working folder. Opens nothing. */
export function homeOf(setting: string | undefined, workingFolder: string): Home {
  const root = resolve(workingFolder, setting ?? '.portolan');
  const inside = (name: string) => join(root, name);
  return {
    root,
    stack: inside('stack.json'),
    secrets: inside('secrets.json'),
    clients: inside('clients'),
    logs: inside('logs'),
    data: inside('data'),
    project: inside('tide-table'),
  };
}

/** Makes the folders that every app finds there, readable by their owner only. */
export async function makeHome({ root, clients, logs, data }: Home): Promise<void> {
  for (const folder of [root, clients, logs, data]) await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** Removes what the stack keeps in its home, and the home itself if nothing else is there. Resolves with what is left. */
export async function emptyHome({ root, ...kept }: Home): Promise<readonly string[]> {
  for (const path of Object.values(kept)) await rm(path, { recursive: true, force: true });
  const left = await readdir(root).catch((): string[] => []);
  if (left.length === 0) await rm(root, { recursive: true, force: true });
  return left;
}
