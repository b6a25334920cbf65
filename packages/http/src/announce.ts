import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a ready app says of itself. */
export interface EndpointFacts {
  readonly pid: number;
  /** When the process started, in clock ticks since boot, as its identity has it. */
  readonly startTime: number;
  readonly origin: string;
  readonly [more: string]: unknown;
}

/**
 * Says in a file (mode 0600, replaced in one step) where a ready app is reached. Returns how to take it back, which
 * leaves a file alone that another process has written since.
 */
export async function announce({
  file,
  facts,
}: {
  file: string;
  facts: EndpointFacts;
}): Promise<() => Promise<void>> {
  const draft = `${file}.${facts.pid}`;
  const text = await write(draft, facts);
  await rename(draft, file);
  return () => takeBack(file, text);
}

/** Where a node says where it is, and how it takes that back. */
export interface Announcement {
  readonly file: string;
  readonly withdraw: () => Promise<void>;
}

/**
 * The same for an app of which several nodes may work on one data folder: the first has `endpoint.json`, and one that finds it to
 * be of another node that `lives` has a file of its own beside it.
 */
export async function announceNode(
  folder: string,
  facts: EndpointFacts,
  lives: (other: Pick<EndpointFacts, 'pid' | 'startTime'>) => boolean,
): Promise<Announcement> {
  const [shared, own] = [join(folder, 'endpoint.json'), join(folder, `endpoint-${facts.pid}.json`)];
  const text = await write(own, facts);
  const file = (await takes(own, shared, lives)) ? shared : own;
  return { file, withdraw: () => takeBack(file, text) };
}

/** Gives our file the shared name, unless that is in use. Of two nodes that start together one finds it so. */
async function takes(
  own: string,
  shared: string,
  lives: Parameters<typeof announceNode>[2],
): Promise<boolean> {
  try {
    await link(own, shared);
    await rm(own);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const other = parsed(await readFile(shared, 'utf8').catch(() => ''));
  if (other !== undefined && lives(other)) return false;
  await rename(own, shared);
  return true;
}

function parsed(text: string): Pick<EndpointFacts, 'pid' | 'startTime'> | undefined {
  try {
    const { pid, startTime } = JSON.parse(text) as Partial<EndpointFacts>;
    return typeof pid === 'number' && typeof startTime === 'number' ? { pid, startTime } : undefined;
  } catch {
    return undefined;
  }
}

async function write(file: string, facts: EndpointFacts): Promise<string> {
  const text = `${JSON.stringify(facts, null, 2)}\n`;
  await writeFile(file, text, { mode: 0o600 });
  return text;
}

async function takeBack(file: string, text: string): Promise<void> {
  if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true });
}
