/** A drawn map: everything that an SVG needs, in its own units. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** Path data of the land; fill it with the even-odd rule. */
  readonly land: string;
  /** The outline of the earth, where the map shows all of it. */
  readonly globe?: string;
  /** The places that were asked for, in their order. A place that the map does not show is undefined. */
  readonly spots: readonly (Spot | undefined)[];
  /** Circles of a round distance around the centre, where the map has one. */
  readonly circles: readonly Circle[];
}

export interface Spot {
  readonly x: number;
  readonly y: number;
}

export interface Circle extends Spot {
  readonly radius: number;
  readonly km: number;
}

/** One decimal of a drawing unit: finer cannot be seen. */
export function tenth(value: number): number {
  return Math.round(value * 10) / 10;
}
