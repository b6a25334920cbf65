import type { Bounds, Ring } from './land.ts';

/** Longitudes and latitudes in turn: packed, because the outline of a continent has a hundred thousand points. */
export type Points = ArrayLike<number>;

/**
 * The part of an outline inside a window (Sutherland–Hodgman, side by side). Where the window cuts land, the result runs along
 * its edge: choose the window larger than what will be seen.
 */
export function clip(ring: Ring, window: Bounds): Points {
  return sidesOf(window).reduce<Points>(cut, candidates(ring, window));
}

/**
 * The outline without what cannot matter: a stretch that lies beyond one side of the window is cut away by that side whatever is
 * between its ends. Most of a continent goes this way, unread.
 */
function candidates({ points, stretches }: Ring, window: Bounds): Points {
  const kept: number[] = [];
  for (const stretch of stretches) {
    const step = apart(stretch, window) ? Math.max(2, stretch.to - stretch.from - 2) : 2;
    for (let at = stretch.from; at < stretch.to; at += step) kept.push(points[at] ?? 0, points[at + 1] ?? 0);
  }
  return kept;
}

/** True when a straight side of the window has all of these bounds on its far side: nothing of them is inside. */
export function apart(bounds: Bounds, window: Bounds): boolean {
  return (
    bounds.east < window.west ||
    bounds.west > window.east ||
    bounds.north < window.south ||
    bounds.south > window.north
  );
}

/** One side of the window: which coordinate it limits, where, and in which direction the inside lies. */
interface Side {
  readonly axis: 0 | 1;
  readonly limit: number;
  readonly inside: 1 | -1;
}

function sidesOf({ west, south, east, north }: Bounds): Side[] {
  return [
    { axis: 0, limit: west, inside: 1 },
    { axis: 0, limit: east, inside: -1 },
    { axis: 1, limit: south, inside: 1 },
    { axis: 1, limit: north, inside: -1 },
  ];
}

function cut(points: Points, { axis, limit, inside }: Side): Points {
  const kept: number[] = [];
  const at = (index: number) => points[index] ?? 0;
  let before = points.length - 2;
  for (let here = 0; here < points.length; here += 2) {
    const isIn = (at(here + axis) - limit) * inside >= 0;
    const wasIn = (at(before + axis) - limit) * inside >= 0;
    if (isIn !== wasIn) {
      const share = (limit - at(before + axis)) / (at(here + axis) - at(before + axis));
      kept.push(at(before) + share * (at(here) - at(before)));
      kept.push(at(before + 1) + share * (at(here + 1) - at(before + 1)));
    }
    if (isIn) kept.push(at(here), at(here + 1));
    before = here;
  }
  return kept;
}
