import type { Row } from './bench.ts';
import type { Era, Exercise } from './exercise.ts';
import type { Figure } from './measure.ts';

/** The least disturbed round: the one with the least processor time a request. Nothing makes a server too fast. */
export function best(row: Row): Figure | undefined {
  return measured(row).toSorted((one, other) => one.cpu - other.cpu)[0];
}

/** The figures of the rounds that have one. */
export function measured({ figures }: Row): Figure[] {
  return figures.filter((figure) => figure !== undefined);
}

/** The row of a variant in the same exercise and era. */
export function rowOf(rows: readonly Row[], variant: string, exercise: Exercise, era: Era): Row | undefined {
  return rows.find((row) => row.variant === variant && row.exercise === exercise && row.era === era);
}

/** What the others are compared with: the cheapest server that can exist on node:http for this exercise. */
export const limitOf = ({ operation }: Exercise) => (operation === 'list' ? 'raw-preserialised' : 'raw');

/** Ours against that limit, in microseconds of processor time a request. */
export interface Gap {
  readonly exercise: Exercise;
  readonly era: Era;
  readonly variant: string;
  readonly limit: number;
  readonly ours: number;
  /** Difference in each round that has both, in the order of the rounds. */
  readonly differences: readonly number[];
}

/** The gate figures of a variant; exercises without a figure for it or for its limit are left out. */
export function gaps(rows: readonly Row[], variant: string): Gap[] {
  return rows.filter((row) => row.variant === variant).flatMap((row) => gap(row, rows) ?? []);
}

function gap(row: Row, rows: readonly Row[]): Gap | undefined {
  const limit = rowOf(rows, limitOf(row.exercise), row.exercise, row.era);
  const ours = best(row)?.cpu;
  const least = limit && best(limit)?.cpu;
  if (!limit || ours === undefined || least === undefined) return undefined;
  const differences = row.figures.flatMap((figure, round) => difference(figure, limit.figures[round]));
  return {
    exercise: row.exercise,
    era: row.era,
    variant: row.variant,
    limit: least,
    ours,
    differences,
  };
}

/** Nothing, unless both have a figure in this round. */
function difference(one: Figure | undefined, other: Figure | undefined): number[] {
  return one && other ? [one.cpu - other.cpu] : [];
}

/** The middle one of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
