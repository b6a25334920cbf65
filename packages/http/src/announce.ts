import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from './log.ts';

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

/** A node of an app of which several may work on one data folder. */
export interface NodeOptions {
  readonly folder: string;
  readonly origin: string;
  /** Who a living process is, this one without a pid. */
  readonly identify: (pid?: number) => Identity | undefined;
  readonly log: Logger;
}

type Identity = Pick<EndpointFacts, 'pid' | 'startTime'>;

/**
 * The same for such a node: the first has `endpoint.json`; one that finds it to be of another that lives has a file of its own
 * beside it, and says so in the log.
 */
export async function announceNode({
  folder,
  origin,
  identify,
  log,
}: NodeOptions): Promise<() => Promise<void>> {
  const self = identify();
  if (!self) throw new Error('This process has no identity.');
  const { pid, startTime } = self;
  const [shared, own] = [join(folder, 'endpoint.json'), join(folder, `endpoint-${pid}.json`)];
  const text = await write(own, { pid, startTime, origin });
  if (await takes(own, shared, (other) => identify(other.pid)?.startTime === other.startTime))
    return () => takeBack(shared, text);
  log.warn(
    { file: own },
    'endpoint.json is of another node of this data folder; this one has a file of its own',
  );
  return () => takeBack(own, text);
}

/** Gives our file the shared name, unless that is in use. Of two nodes that start together one finds it so. */
async function takes(own: string, shared: string, lives: (other: Identity) => boolean): Promise<boolean> {
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

function parsed(text: string): Identity | undefined {
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
