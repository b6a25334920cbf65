import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { exitCodes, Trouble } from '@portolan/cli';

/** What a stack keeps in its home: each thing's name there, and what it is. */
export const contents = {
  mark: {
    name: '.portolan-home',
    says: 'Says that a stack made this folder; without it nothing here is ever removed.',
  },
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
  const root = resolve(workingFolder, setting || '.portolan');
  const paths = Object.entries(contents).map(([key, { name }]) => [key, join(root, name)]);
  return { root, ...(Object.fromEntries(paths) as Omit<Home, 'root'>) };
}

/**
 * Makes the folders that every app finds there, readable by their owner only. Throws Trouble for a folder with things in it
 * that no stack made: what lies there is somebody's.
 */
export async function makeHome({ root, mark, clients, logs, data }: Home): Promise<void> {
  if (!(await isOurs({ root, mark })) && (await entriesOf(root)).length > 0)
    throw new Trouble(
      `${root} is not empty and no stack made it: choose another PORTOLAN_HOME.`,
      exitCodes.configuration,
    );
  await mkdir(root, { recursive: true, mode: 0o700 });
  await writeFile(mark, '', { mode: 0o600 });
  for (const folder of [root, clients, logs, data]) await mkdir(folder, { recursive: true, mode: 0o700 });
}

/**
 * Removes what the stack keeps in its home, and the home itself if nothing else is there. Resolves with what is left. Throws
 * Trouble for a folder that no stack made.
 */
export async function emptyHome({ root, mark, ...kept }: Home): Promise<readonly string[]> {
  if ((await entriesOf(root)).length > 0 && !(await isOurs({ root, mark })))
    throw new Trouble(`No stack made ${root}: nothing there is removed.`, exitCodes.configuration);
  // The mark last: what is left of an interrupted reset is still ours.
  for (const path of [...Object.values(kept), mark]) await rm(path, { recursive: true, force: true });
  const left = await entriesOf(root);
  if (left.length === 0) await rm(root, { recursive: true, force: true });
  return left;
}

async function isOurs({ root, mark }: Pick<Home, 'root' | 'mark'>): Promise<boolean> {
  return (await entriesOf(root)).some((entry) => join(root, entry) === mark);
}

/** What lies in a folder; nothing where there is none. Throws the system's error for anything but a folder. */
async function entriesOf(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
}
