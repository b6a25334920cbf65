import { readFile, rename, rm, writeFile } from 'node:fs/promises';
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
 * Where a node of this data folder says where it is: in `endpoint.json`, or in a file of its own beside it while that one is of
 * another node that `lives`.
 */
export async function endpointFile(
  folder: string,
  pid: number,
  lives: (other: Pick<EndpointFacts, 'pid' | 'startTime'>) => boolean,
): Promise<string> {
  const file = join(folder, 'endpoint.json');
  const text = await readFile(file, 'utf8').catch(() => '');
  return isOfOther(text, pid, lives) ? join(folder, `endpoint-${pid}.json`) : file;
}

function isOfOther(text: string, pid: number, lives: Parameters<typeof endpointFile>[2]): boolean {
  try {
    const { pid: other, startTime } = JSON.parse(text) as Partial<EndpointFacts>;
    if (typeof other !== 'number' || typeof startTime !== 'number') return false;
    return other !== pid && lives({ pid: other, startTime });
  } catch {
    return false;
  }
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
  const text = `${JSON.stringify(facts, null, 2)}\n`;
  const draft = `${file}.${facts.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
  return async () => {
    if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true });
  };
}
