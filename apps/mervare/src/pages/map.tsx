import type { Drawing } from '../map/drawing.ts';

/** A place on a map, in the order of the list that the map stands beside. */
export interface Marker {
  readonly name: string;
  readonly slug: string;
  /** Its number in the list; the place that the map is about has none. */
  readonly number?: number;
}

interface MapProps {
  readonly drawing: Drawing;
  /** One for each spot of the drawing. */
  readonly markers: readonly Marker[];
  readonly title: string;
}

/** A drawn map. Everything that it shows stands in a list beside it as well: to a screen reader it is one image. */
export function HarbourMap({ drawing, markers, title }: MapProps) {
  const { width, height, land, globe, circles, spots } = drawing;
  return (
    <svg class="map" role="img" aria-label={title} viewBox={`0 0 ${width} ${height}`}>
      {globe ? <path class="sea" d={globe} /> : <rect class="sea" width={width} height={height} />}
      <path class="land" fill-rule="evenodd" d={land} />
      {circles.map(({ x, y, radius, km }) => (
        <g class="distance">
          <circle cx={x} cy={y} r={radius} />
          <text x={x} y={y - radius - 5}>
            {km} km
          </text>
        </g>
      ))}
      {spots
        .map((spot, at) => ({ spot, marker: markers[at] }))
        .toReversed()
        .map(({ spot, marker }) => spot && marker && <Mark {...spot} {...marker} />)}
    </svg>
  );
}

function Mark({ x, y, name, slug, number }: Marker & { x: number; y: number }) {
  return (
    <g
      class={number === undefined ? 'mark here' : 'mark'}
      data-slug={slug}
      transform={`translate(${x} ${y})`}
    >
      <title>{name}</title>
      <circle r={number === undefined ? 8 : 10} />
      {number !== undefined && <text y="4">{number}</text>}
    </g>
  );
}

/** All harbours of the world as dots: too many to be marked one by one. */
export function WorldOfHarbours({ drawing, title }: { drawing: Drawing; title: string }) {
  const dots = drawing.spots.map((spot) => (spot ? `M${spot.x},${spot.y}h0` : '')).join('');
  return (
    <svg class="map" role="img" aria-label={title} viewBox={`0 0 ${drawing.width} ${drawing.height}`}>
      <path class="sea" d={drawing.globe ?? ''} />
      <path class="land" fill-rule="evenodd" d={drawing.land} />
      <path class="dots" d={dots} />
    </svg>
  );
}
