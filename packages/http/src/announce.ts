import { readFile, rename, rm, writeFile } from 'node:fs/promises';

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
  const text = `${JSON.stringify(facts, null, 2)}\n`;
  const draft = `${file}.${facts.pid}`;
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
  return async () => {
    if ((await readFile(file, 'utf8').catch(() => '')) === text) await rm(file, { force: true });
  };
}
