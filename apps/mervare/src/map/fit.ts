import { geoDistance } from 'd3-geo';
import { EARTH_KM, type Position } from '../harbour/distance.ts';
import type { Drawing } from './drawing.ts';
import { drawRegion } from './region.ts';
import { drawWorld } from './world.ts';

const SMALLEST_KM = 40;
const LARGEST_KM = 4000;

/** The map that shows all these places as large as it can: of their region, or of the world where they are far apart. */
export function drawAround(places: readonly Position[]): Drawing {
  const center = middleOf(places);
  if (!center) return drawWorld(places);
  const farthest = Math.max(SMALLEST_KM, ...places.map((place) => kmBetween(center, place)));
  // Nobody asked how far anything is from the middle of what was found.
  return { ...drawFrom(center, farthest, places), circles: [] };
}

/** The map of what lies within a distance of a centre, of the world where that is far. */
export function drawFrom(center: Position, km: number, places: readonly Position[]): Drawing {
  return km > LARGEST_KM ? drawWorld(places) : drawRegion(center, Math.max(SMALLEST_KM, km), places);
}

/** The middle of places on the sphere; undefined where there is none. */
function middleOf(places: readonly Position[]): Position | undefined {
  const sum = { x: 0, y: 0, z: 0 };
  for (const { lat, lon } of places) {
    const [phi, lambda] = [radians(lat), radians(lon)];
    sum.x += Math.cos(phi) * Math.cos(lambda);
    sum.y += Math.cos(phi) * Math.sin(lambda);
    sum.z += Math.sin(phi);
  }
  const length = Math.hypot(sum.x, sum.y, sum.z);
  if (length < 1e-9) return undefined;
  return { lat: degrees(Math.asin(sum.z / length)), lon: degrees(Math.atan2(sum.y, sum.x)) };
}

function kmBetween(from: Position, to: Position): number {
  return geoDistance([from.lon, from.lat], [to.lon, to.lat]) * EARTH_KM;
}

function radians(value: number): number {
  return (value * Math.PI) / 180;
}

function degrees(value: number): number {
  return (value * 180) / Math.PI;
}
