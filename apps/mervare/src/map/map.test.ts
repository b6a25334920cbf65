import { expect, it } from 'vitest';
import { clip } from './clip.ts';
import { drawAround } from './fit.ts';
import { landRings, type Ring } from './land.ts';
import { drawRegion } from './region.ts';

/** Twice the area of the polygon, by the shoelace rule. */
function area(points: ArrayLike<number>): number {
  let sum = 0;
  for (let at = 0; at < points.length; at += 2) {
    const next = (at + 2) % points.length;
    sum += (points[at] ?? 0) * (points[next + 1] ?? 0) - (points[next] ?? 0) * (points[at + 1] ?? 0);
  }
  return Math.abs(sum) / 2;
}

/** A square outline with many points on each side. */
function square(west: number, south: number, size: number): Ring {
  const steps = Array.from({ length: 200 }, (_, at) => (at / 200) * size);
  const points = Float32Array.from(
    [
      ...steps.map((step) => [west + step, south]),
      ...steps.map((step) => [west + size, south + step]),
      ...steps.map((step) => [west + size - step, south + size]),
      ...steps.map((step) => [west, south + size - step]),
    ].flat(),
  );
  const bounds = { west, south, east: west + size, north: south + size };
  return { points, stretches: [{ from: 0, to: points.length, ...bounds }], ...bounds };
}

it.each([
  ['inside', { west: -1, south: -1, east: 11, north: 11 }, 100],
  ['cut at a corner', { west: 5, south: 5, east: 20, north: 20 }, 25],
  ['larger than the window', { west: 2, south: 2, east: 4, north: 5 }, 6],
  ['beside it', { west: 11, south: 0, east: 20, north: 10 }, 0],
])('an outline %s keeps its part', (_place, window, expected) => {
  expect(area(clip(square(0, 0, 10), window))).toBeCloseTo(expected, 3);
});

it('skipping far stretches changes nothing inside the window', () => {
  const window = { west: 21, south: 57, east: 29, north: 61 };
  for (const ring of landRings('50m')) {
    const whole = { ...ring, stretches: [{ ...ring, from: 0, to: ring.points.length }] };
    expect(area(clip(ring, window))).toBeCloseTo(area(clip(whole, window)), 6);
  }
});

it('a far stretch keeps the point from which the outline comes in', () => {
  const points = Float32Array.from([-50, -50, -50, 50, -1, 10, 10, 10, 10, 0, -1, 0]);
  const far = { from: 0, to: 6, west: -50, south: -50, east: -1, north: 50 };
  const near = { from: 6, to: 12, west: -1, south: 0, east: 10, north: 10 };
  const ring = { points, stretches: [far, near], west: -50, south: -50, east: 10, north: 50 };
  expect(area(clip(ring, { west: 0, south: -20, east: 20, north: 20 }))).toBeCloseTo(100, 3);
});

it('outlines go on over the 180th meridian', () => {
  const jumps = landRings('110m').filter(({ points, south }) => {
    if (south === -90) return false;
    for (let at = 2; at < points.length; at += 2)
      if (Math.abs((points[at] ?? 0) - (points[at - 2] ?? 0)) > 180) return true;
    return false;
  });
  expect(jumps).toEqual([]);
});

it('a region is true in distance: 100 km are the circle of 100 km', () => {
  const { spots, circles } = drawRegion({ lat: 0, lon: 0 }, 150, [
    { lat: 0, lon: 0 },
    { lat: 0, lon: 0.8993 },
    { lat: 0.8993, lon: 0 },
    { lat: 40, lon: 40 },
  ]);
  const [center, east, north, away] = spots;
  const outer = circles.find(({ km }) => km === 100);
  expect(center).toEqual({ x: 360, y: 240 });
  expect((east?.x ?? 0) - 360).toBeCloseTo(outer?.radius ?? 0, 0);
  expect(240 - (north?.y ?? 0)).toBeCloseTo(outer?.radius ?? 0, 0);
  expect(away).toBeUndefined();
});

it('places far apart are shown on the world, and no place on it too', () => {
  expect(
    drawAround([
      { lat: 60, lon: 25 },
      { lat: -35, lon: -70 },
    ]).globe,
  ).toBeDefined();
  expect(drawAround([]).globe).toBeDefined();
  expect(
    drawAround([
      { lat: 59.4, lon: 24.7 },
      { lat: 60.2, lon: 24.9 },
    ]).globe,
  ).toBeUndefined();
});
