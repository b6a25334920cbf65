import type { Occasion } from '../report.ts';

/** When and where a report of a test was made. */
export const occasion: Occasion = {
  date: '2026-11-30',
  machine: '2 cores, 24 GB',
  node: '20.20.2',
  versions: {},
};

/** The titles of the parts of a report. */
export function titlesOf(text: string): string[] {
  return [...text.matchAll(/^## (.+)$/gm)].map((found) => found[1] ?? '');
}
