import { createLog } from '../log.ts';
import type { Logger } from '../log.ts';

/** A log whose lines a test can read. */
export function memoryLog(): { log: Logger; lines: () => Record<string, unknown>[] } {
  const written: string[] = [];
  const log = createLog({ name: 'test', destination: { write: (line) => void written.push(line) } });
  return { log, lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>) };
}
