import { geoEqualEarth, geoPath } from 'd3-geo';
import type { Position } from '../harbour/distance.ts';
import { tenth, type Drawing } from './drawing.ts';
import { landFeatures } from './land.ts';

const SIZE = { width: 960, height: 468 } as const;
const projection = geoEqualEarth().fitExtent(
  [
    [2, 2],
    [SIZE.width - 2, SIZE.height - 2],
  ],
  { type: 'Sphere' },
);

let drawn: { readonly land: string; readonly globe: string } | undefined;

/** A map of the whole earth, equal in area. Its land is drawn once. */
export function drawWorld(places: readonly Position[]): Drawing {
  const path = geoPath(projection).digits(1);
  drawn ??= { land: path(landFeatures('110m')) ?? '', globe: path({ type: 'Sphere' }) ?? '' };
  return {
    ...SIZE,
    ...drawn,
    spots: places.map(({ lat, lon }) => {
      const [x = 0, y = 0] = projection([lon, lat]) ?? [];
      return { x: tenth(x), y: tenth(y) };
    }),
    circles: [],
  };
}
