import type { HarbourWithNeighbours } from './read.ts';
import type { BriefRow } from './record.ts';

/** Everything that the public page of a harbour says. Absent facts are absent properties. */
export interface HarbourPage {
  readonly slug: string;
  readonly name: string;
  readonly locode: string;
  readonly country: string;
  readonly city?: string;
  readonly province?: string;
  readonly position?: { readonly lat: number; readonly lon: number };
  readonly timezone?: string;
  readonly aliases?: string[];
  readonly otherLocodes?: string[];
  readonly customsCode?: string;
  readonly services?: string[];
  readonly depthM?: number;
  readonly source: string;
  readonly neighbours: Neighbour[];
}

export interface Neighbour {
  readonly slug: string;
  readonly name: string;
  readonly distanceKm: number;
}

/** What stands behind a record's facts, in words. */
const sources: Readonly<Record<string, string>> = {
  'sea-ports': 'npm package sea-ports 0.0.9',
  import: 'Mervare’s own records',
};

/**
 * The one composition behind the harbour page, its Markdown snapshot and the tools. It names every public fact:
 * what is not written here reaches nobody.
 */
export function compose({ harbour, neighbours }: HarbourWithNeighbours): HarbourPage {
  return {
    ...composeBrief(harbour),
    ...some('province', harbour.province),
    ...some('timezone', harbour.timezone),
    ...some('aliases', harbour.aliases.length > 0 ? harbour.aliases : null),
    ...some('otherLocodes', harbour.other_locodes.length > 0 ? harbour.other_locodes : null),
    ...some('customsCode', harbour.customs_code),
    ...some('services', harbour.services),
    ...some('depthM', harbour.depth_m),
    source: sources[harbour.source] ?? harbour.source,
    neighbours: neighbours.map(({ slug, name, distanceKm }) => ({
      slug,
      name,
      distanceKm: tenths(distanceKm),
    })),
  };
}

/** What a list says of a harbour: the part of the page that tells it from others. */
export type HarbourBrief = Pick<HarbourPage, 'slug' | 'name' | 'locode' | 'country' | 'city' | 'position'>;

export function composeBrief(harbour: BriefRow): HarbourBrief {
  const { slug, name, locode, country, city, latitude, longitude } = harbour;
  const placed = latitude !== null && longitude !== null;
  return {
    slug,
    name,
    locode,
    country,
    ...some('city', city),
    ...(placed && { position: { lat: hundredThousandths(latitude), lon: hundredThousandths(longitude) } }),
  };
}

/** Kilometres as they are shown. */
export function tenths(km: number): number {
  return Math.round(km * 10) / 10;
}

/** Five decimals of a degree: about a metre. */
function hundredThousandths(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

function some<K extends string, V>(key: K, value: V | null): { [key in K]?: V } {
  return value === null ? {} : ({ [key]: value } as { [key in K]?: V });
}
