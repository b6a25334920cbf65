import { mkdir, readdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** What a stack keeps in its home: each thing's name there, and what it is. */
export const contents = {
  stack: { name: 'stack.json', says: 'What runs and where; exists only while all is ready. Mode 0600.' },
  secrets: { name: 'secrets.json', says: 'The secrets, by environment variable. Mode 0600.' },
  clients: { name: 'clients', says: 'MCP client configurations, with their tokens. Mode 0600.' },
  logs: { name: 'logs', says: 'The log of each app.' },
  data: { name: 'data', says: 'The data folder of each app.' },
  project: { name: 'tide-table', says: 'A sample git project for Saivage to work on.' },
} as const;

/** Where everything of one stack lies. */
export type Home = Readonly<Record<keyof typeof contents | 'root', string>>;

/** The layout below `PORTOLAN_HOME`, by default `.portolan` in the working folder. Opens nothing. */
export function homeOf(setting: string | undefined, workingFolder: string): Home {
  const root = resolve(workingFolder, setting ?? '.portolan');
  const paths = Object.entries(contents).map(([key, { name }]) => [key, join(root, name)]);
  return { root, ...(Object.fromEntries(paths) as Omit<Home, 'root'>) };
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
