/** Protocol revisions that open with `initialize`, newest first: all that the official SDK still negotiates. */
export const legacyRevisions = [
  '2025-11-25',
  '2025-06-18',
  '2025-03-26',
  '2024-11-05',
  '2024-10-07',
] as const;

/** Revisions in which every request names its revision (2026-07-28 and later). */
export const modernRevisions = ['2026-07-28'] as const;

export type LegacyRevision = (typeof legacyRevisions)[number];
export type ModernRevision = (typeof modernRevisions)[number];
export type Revision = LegacyRevision | ModernRevision;

/** Every revision that we speak: the value of `revisions` for an open endpoint. */
export const allRevisions: readonly Revision[] = [...modernRevisions, ...legacyRevisions];

/** What one mount speaks, newest first in each era. */
export interface Spoken {
  readonly legacy: readonly LegacyRevision[];
  readonly modern: readonly ModernRevision[];
}

/** Sorts the chosen revisions by era. The order of the choice does not matter. */
export function spoken(chosen: readonly Revision[]): Spoken {
  return {
    legacy: legacyRevisions.filter((one) => chosen.includes(one)),
    modern: modernRevisions.filter((one) => chosen.includes(one)),
  };
}
