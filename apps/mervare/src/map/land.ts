import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** A closed outline of land, or of a lake within it: longitudes and latitudes in turn, degrees, with their bounds. Longitudes may go beyond ±180. */
export interface Ring extends Bounds {
  readonly points: Float32Array;
}

/** Degrees. A window may reach beyond ±180. */
export interface Bounds {
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
}

/** Scales of the outlines in the package world-atlas, the finest first. */
export type Detail = '10m' | '50m' | '110m';

const { resolve } = createRequire(import.meta.url);
const kept = new Map<Detail, readonly Ring[]>();

/** All outlines of one scale. Read from the package at first use (10m: 0.2 s) and kept as packed numbers (3 MB). */
export function landRings(detail: Detail): readonly Ring[] {
  const known = kept.get(detail);
  if (known) return known;
  const rings = landFeatures(detail)
    .features.flatMap(({ geometry }) => (geometry.type === 'MultiPolygon' ? geometry.coordinates.flat() : []))
    .map(toRing);
  kept.set(detail, rings);
  return rings;
}

/** The land of one scale as GeoJSON. */
export function landFeatures(detail: Detail) {
  const file = resolve(`world-atlas/land-${detail}.json`);
  const topology = JSON.parse(readFileSync(file, 'utf8')) as Topology<{ land: GeometryCollection }>;
  return feature(topology, topology.objects.land);
}

/**
 * Packs an outline without jumps at the 180th meridian: longitudes go on beyond it. An outline around the south pole
 * (there is no land around the other) is closed along it.
 */
function toRing(coordinates: readonly (readonly number[])[]): Ring {
  const points = new Float32Array(2 * coordinates.length + 4);
  const bounds = { west: Infinity, south: Infinity, east: -Infinity, north: -Infinity };
  let turn = 0;
  let before = coordinates[0]?.[0] ?? 0;
  let size = 0;
  for (const [lon = 0, lat = 0] of coordinates) {
    if (Math.abs(lon - before) > 180) turn += lon < before ? 360 : -360;
    before = lon;
    size = put(points, size, lon + turn, lat);
    widen(bounds, lon + turn, lat);
  }
  if (turn === 0) return { points: points.subarray(0, size), ...bounds };
  size = put(points, size, points[size - 2] ?? 0, -90);
  put(points, size, points[0] ?? 0, -90);
  return { points, ...bounds, south: -90 };
}

function put(points: Float32Array, at: number, lon: number, lat: number): number {
  points[at] = lon;
  points[at + 1] = lat;
  return at + 2;
}

function widen(bounds: { -readonly [side in keyof Bounds]: Bounds[side] }, lon: number, lat: number): void {
  if (lon < bounds.west) bounds.west = lon;
  if (lon > bounds.east) bounds.east = lon;
  if (lat < bounds.south) bounds.south = lat;
  if (lat > bounds.north) bounds.north = lat;
}
