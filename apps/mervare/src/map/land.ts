import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';

/** A closed outline of land, or of a lake within it. Longitudes may go beyond ±180. */
export interface Ring extends Bounds {
  /** Longitudes and latitudes in turn, degrees. */
  readonly points: Float32Array;
  /** The outline in pieces, in order. */
  readonly stretches: readonly Stretch[];
}

/** A piece of an outline: where its numbers begin and end, and its bounds. */
export interface Stretch extends Bounds {
  readonly from: number;
  readonly to: number;
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

/** Numbers in a stretch: 64 points. */
const STRETCH = 128;
const { resolve } = createRequire(import.meta.url);
const kept = new Map<Detail, readonly Ring[]>();

/** All outlines of one scale. Read from the package at first use (10m: 0.4 s of CPU) and kept as packed numbers (3 MB). */
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
  const points: number[] = [];
  let turn = 0;
  let before = coordinates[0]?.[0] ?? 0;
  for (const [lon = 0, lat = 0] of coordinates) {
    if (Math.abs(lon - before) > 180) turn += lon < before ? 360 : -360;
    points.push(lon + turn, lat);
    before = lon;
  }
  if (turn !== 0) points.push(before + turn, -90, points[0] ?? 0, -90);
  return packed(Float32Array.from(points));
}

function packed(points: Float32Array): Ring {
  const starts = Array.from({ length: Math.ceil(points.length / STRETCH) }, (_, at) => at * STRETCH);
  const stretches = starts.map((from) => stretchOf(points, from, Math.min(points.length, from + STRETCH)));
  return {
    points,
    stretches,
    west: Math.min(...stretches.map(({ west }) => west)),
    south: Math.min(...stretches.map(({ south }) => south)),
    east: Math.max(...stretches.map(({ east }) => east)),
    north: Math.max(...stretches.map(({ north }) => north)),
  };
}

function stretchOf(points: Float32Array, from: number, to: number): Stretch {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = from; at < to; at += 2) {
    const [lon = 0, lat = 0] = [points[at], points[at + 1]];
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return { from, to, west, south, east, north };
}
