import { geoAzimuthalEquidistant, type GeoProjection } from 'd3-geo';
import { EARTH_KM, type Position } from '../harbour/distance.ts';
import { apart, clip, type Points } from './clip.ts';
import { tenth, type Circle, type Drawing } from './drawing.ts';
import { landRings, type Bounds, type Detail } from './land.ts';

const KM_A_DEGREE = (Math.PI * EARTH_KM) / 180;
const SIZE = { width: 720, height: 480 } as const;
/** Room between the outermost circle and the edge of the drawing. */
const MARGIN = 24;
/** Steps between outline points that are closer than this are not drawn. */
const FINEST = 1;
/** Islands with fewer points than this are smaller than a dot. */
const SMALLEST_OUTLINE = 4;

/**
 * A map of everything within a radius of a centre, true in distance and direction from there. Costs a few milliseconds.
 * Not for more than a quarter of the earth: draw the world instead.
 */
export function drawRegion(center: Position, radiusKm: number, places: readonly Position[]): Drawing {
  const { width, height } = SIZE;
  const unitsAKm = (Math.min(width, height) / 2 - MARGIN) / radiusKm;
  const projection = geoAzimuthalEquidistant()
    .rotate([-center.lon, -center.lat])
    .translate([width / 2, height / 2])
    .scale(unitsAKm * EARTH_KM);
  const seenKm = Math.hypot(width, height) / 2 / unitsAKm;
  return {
    ...SIZE,
    land: landWithin(projection, windows(center, seenKm * 1.02), detailFor(radiusKm)),
    spots: places.map(({ lat, lon }) => visible(projection([lon, lat]))),
    circles: circles(radiusKm, unitsAKm),
  };
}

function detailFor(radiusKm: number): Detail {
  if (radiusKm <= 300) return '10m';
  return radiusKm <= 1000 ? '50m' : '110m';
}

/** The degrees around a centre, and the same a turn to the west and to the east, since outlines go on over the 180th meridian. */
function windows({ lat, lon }: Position, km: number): Bounds[] {
  const south = Math.max(-90, lat - km / KM_A_DEGREE);
  const north = Math.min(90, lat + km / KM_A_DEGREE);
  const narrowest = Math.cos((Math.max(-south, north) * Math.PI) / 180);
  const half = Math.min(180, km / KM_A_DEGREE / Math.max(narrowest, 1e-6));
  return [-360, 0, 360].map((turn) => ({ west: lon - half + turn, east: lon + half + turn, south, north }));
}

function landWithin(projection: GeoProjection, seen: readonly Bounds[], detail: Detail): string {
  let drawn = '';
  // Of thousands of outlines a few are in sight: what is not costs a look at its bounds.
  for (const ring of landRings(detail))
    for (const window of seen) if (!apart(ring, window)) drawn += outline(clip(ring, window), projection);
  return drawn;
}

function outline(points: Points, projection: GeoProjection): string {
  const drawn: string[] = [];
  let [lastX, lastY] = [Infinity, Infinity];
  for (let at = 0; at < points.length; at += 2) {
    const [x = 0, y = 0] = projection([points[at] ?? 0, points[at + 1] ?? 0]) ?? [];
    if (Math.abs(x - lastX) + Math.abs(y - lastY) < FINEST) continue;
    drawn.push(`${tenth(x)},${tenth(y)}`);
    [lastX, lastY] = [x, y];
  }
  return drawn.length < SMALLEST_OUTLINE ? '' : `M${drawn.join('L')}Z`;
}

function visible(point: [number, number] | null): { x: number; y: number } | undefined {
  const [x = -1, y = -1] = point ?? [];
  const seen = x >= 0 && x <= SIZE.width && y >= 0 && y <= SIZE.height;
  return seen ? { x: tenth(x), y: tenth(y) } : undefined;
}

/** One or two circles of a round distance, the larger one still inside the radius. */
function circles(radiusKm: number, unitsAKm: number): Circle[] {
  const step = 10 ** Math.floor(Math.log10(radiusKm));
  const outer = Math.floor(radiusKm / step) * step;
  const inner = outer / 2;
  return [inner, outer].map((km) => ({
    x: SIZE.width / 2,
    y: SIZE.height / 2,
    radius: tenth(km * unitsAKm),
    km,
  }));
}
