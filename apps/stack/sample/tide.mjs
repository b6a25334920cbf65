import { pathToFileURL } from 'node:url';

/** From one high water to the next: 12 hours 25 minutes, in milliseconds. */
const CYCLE_MS = (12 * 60 + 25) * 60 * 1000;

/** A high water that is known, from which the others are counted. */
const KNOWN_MS = Date.UTC(2026, 0, 1, 6, 10);

/** The next `count` high waters after a time. */
export function highWaters(after, count) {
  const passed = Math.floor((after.getTime() - KNOWN_MS) / CYCLE_MS);
  return Array.from({ length: count }, (_, n) => new Date(KNOWN_MS + (passed + 1 + n) * CYCLE_MS));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const after = process.argv[2] === undefined ? new Date() : new Date(process.argv[2]);
  for (const time of highWaters(after, 2)) process.stdout.write(`${time.toISOString()}\n`);
}
