import { askPrepared } from '@portolan/store';
import { sql, type Kysely } from 'kysely';
import { kmFrom, within } from './distance.ts';
import { fold } from './fold.ts';
import type { HarbourRow } from './record.ts';
import type { PublicTables } from './tables.ts';

/** A harbour beside its closest neighbours, the nearest first. */
export interface HarbourWithNeighbours {
  readonly harbour: PageRow;
  readonly neighbours: readonly NeighbourRow[];
}

/** What a page needs of a row: all but the texts that only searches compare. */
export type PageRow = Omit<HarbourRow, 'name_folded' | 'country_folded' | 'other_names' | 'search_text'>;

export interface NeighbourRow extends Pick<HarbourRow, 'slug' | 'name' | 'latitude' | 'longitude'> {
  readonly distanceKm: number;
}

/** How far a neighbour may be, and how many are told. */
const NEIGHBOURS = { withinKm: 150, most: 6 } as const;

/**
 * One harbour by its slug or LOCODE, or undefined. The LOCODE that ends a slug is the identity:
 * an address with an outdated name still finds its harbour.
 */
export async function readHarbour(
  db: Kysely<PublicTables>,
  slugOrLocode: string,
): Promise<HarbourWithNeighbours | undefined> {
  const locode = /(?:^| )([a-z]{2}[a-z2-9]{3})$/.exec(fold(slugOrLocode))?.[1]?.toUpperCase();
  if (locode === undefined) return undefined;
  const [found] = await askPrepared<PageRow & Pick<HarbourWithNeighbours, 'neighbours'>>(
    db,
    sql`select slug, name, locode, country, city, province, latitude, longitude, timezone, aliases, other_locodes,
        customs_code, services, depth_m, source, ${neighbours} as neighbours
      from public_harbour here where locode = ${locode}`,
  );
  if (!found) return undefined;
  const { neighbours: near, ...harbour } = found;
  return { harbour, neighbours: near };
}

const here = { lat: sql<number>`here.latitude`, lon: sql<number>`here.longitude` };

/** The neighbours of the row `here`. A row without a position has none. */
const neighbours = sql`(
  select coalesce(json_agg(near), '[]') from (
    select slug, name, latitude, longitude, ${kmFrom(here)} as "distanceKm"
    from public_harbour where ${within(NEIGHBOURS.withinKm, here)} and locode <> here.locode
    order by "distanceKm", locode limit ${sql.lit(NEIGHBOURS.most)}) near)`;
